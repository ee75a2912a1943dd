#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "config/checks.h"
#include "tests/unit/config/load_helper.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Knows a few keys, and no mechanism that needs a plugin.
class SmallLibrary : public KafkaClientLibrary {
 public:
  std::vector<std::string> keys() const override {
    return {"security.protocol", "sasl.mechanism", "sasl.password", "socket.timeout.ms"};
  }
  SettingAnswer try_setting(const std::string& key, const std::string& value) const override {
    const auto known = keys();
    if (std::ranges::find(known, key) == known.end()) return SettingAnswer::kUnknownKey;
    return value == "wrong" ? SettingAnswer::kWrongValue : SettingAnswer::kTaken;
  }
  bool can_log_in_by(std::string_view) const override { return false; }
};

using Settings = std::vector<std::pair<std::string, std::string>>;

LoadResult load(const Settings& settings, const KafkaClientLibrary* library = nullptr) {
  LoadRequest request;
  request.kafka_client = library;
  for (const auto& [key, value] : settings) {
    request.sets.push_back("kafka.librdkafka." + key + "=" + value);
  }
  return load_config(request);
}

Settings with_login(Settings settings) {
  settings.insert(settings.begin(), {"security.protocol", "SASL_SSL"});
  return settings;
}

TEST(KafkaSecurity, CredentialsNeedAProtocolThatLogsIn) {
  for (const char* protocol : {"", "PLAINTEXT", "ssl"}) {
    Settings settings{{"sasl.username", "me"}};
    if (*protocol != 0) settings.emplace_back("security.protocol", protocol);
    EXPECT_THAT(load(settings).problems,
                ElementsAre(AllOf(HasSubstr("`kafka.librdkafka.sasl.username` is set, but"),
                                  HasSubstr("security.protocol: SASL_SSL"))));
  }
}

TEST(KafkaSecurity, ASecretFileIsACredentialToo) {
  EXPECT_THAT(load_sets({"kafka.secrets.sasl.password=/run/secret"}).problems,
              ElementsAre(HasSubstr("--set: `kafka.secrets.sasl.password` is set, but "
                                    "`security.protocol` is not")));
}

TEST(KafkaSecurity, CertificatesNeedAProtocolWithTls) {
  for (const char* key : {"ssl.ca.location", "ssl.certificate.location", "ssl.key.pem",
                          "enable.ssl.certificate.verification", "ssl_key"}) {
    EXPECT_THAT(load({{key, "x"}}).problems,
                ElementsAre(AllOf(HasSubstr(key), HasSubstr("security.protocol: SSL`"))));
  }
  EXPECT_THAT(load({{"security.protocol", "SASL_PLAINTEXT"},
                    {"sasl.mechanism", "SCRAM-SHA-512"},
                    {"ssl.ca.location", "/ca.pem"}})
                  .problems,
              ElementsAre(AllOf(HasSubstr("never uses TLS"), HasSubstr("SASL_SSL"))));
}

TEST(KafkaSecurity, AMechanismIsAskedFor) {
  EXPECT_THAT(load(with_login({})).problems,
              ElementsAre(HasSubstr("`kafka.librdkafka.sasl.mechanism` is missing")));
}

TEST(KafkaSecurity, WhatCannotLogInIsRefusedWithTheReason) {
  const SmallLibrary library;
  EXPECT_THAT(load(with_login({{"sasl.mechanism", "AWS_MSK_IAM"}}), &library).problems,
              ElementsAre(HasSubstr("MSK takes SCRAM-SHA-512")));
  EXPECT_THAT(load(with_login({{"sasl.mechanism", "GSSAPI"}}), &library).problems,
              ElementsAre(HasSubstr("libsasl2-modules-gssapi-mit")));
  EXPECT_THAT(load(with_login({{"sasl.mechanism", "scram-sha-512"}}), &library).problems,
              ElementsAre(HasSubstr("librdkafka does not know it")));
}

TEST(KafkaSecurity, WhatCanLogInIsTaken) {
  for (const char* name : {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "GSSAPI"}) {
    const LoadResult loaded = load(with_login({{"sasl.mechanism", name}}));
    EXPECT_THAT(loaded.problems, IsEmpty()) << name;
    EXPECT_THAT(loaded.warnings, IsEmpty()) << name;
  }
}

TEST(KafkaSecurity, BearersNeedASourceOfTokens) {
  Settings settings = with_login({{"sasl.mechanism", "OAUTHBEARER"}});
  EXPECT_THAT(load(settings).problems, ElementsAre(HasSubstr("sasl.oauthbearer.method: oidc")));
  settings.emplace_back("sasl.oauthbearer.method", "oidc");
  EXPECT_THAT(load(settings).problems, IsEmpty());
  settings.back() = {"enable.sasl.oauthbearer.unsecure.jwt", "true"};
  EXPECT_THAT(load(settings).problems, IsEmpty());
  EXPECT_THAT(load(settings).warnings, ElementsAre(HasSubstr("unsigned tokens")));
}

TEST(KafkaSecurity, WhatWeakensTlsDrawsAWarning) {
  const Settings tls{{"security.protocol", "SSL"}};
  for (const auto& [key, value] : Settings{{"enable.ssl.certificate.verification", "false"},
                                           {"ssl.endpoint.identification.algorithm", "none"}}) {
    Settings settings = tls;
    settings.emplace_back(key, value);
    EXPECT_THAT(load(settings).problems, IsEmpty());
    EXPECT_THAT(load(settings).warnings, ElementsAre(HasSubstr("--set: `" + key)));
  }
  EXPECT_THAT(load({{"security.protocol", "SASL_PLAINTEXT"}, {"sasl.mechanism", "PLAIN"}}).warnings,
              ElementsAre(HasSubstr("in clear text")));
}

TEST(KafkaSecurity, KeysAreThoseOfTheLibrary) {
  const SmallLibrary library;
  EXPECT_THAT(load({{"socket.timeut.ms", "1"}}, &library).problems,
              ElementsAre("--set: `kafka.librdkafka.socket.timeut.ms` is not a key of librdkafka, "
                          "did you mean `socket.timeout.ms`?"));
  EXPECT_THAT(load({{"socket.timeout.ms", "wrong"}}, &library).problems,
              ElementsAre(AllOf(HasSubstr("does not accept this value"), HasSubstr("socket"))));
  EXPECT_THAT(load({{"socket.timeout.ms", "1"}}, &library).problems, IsEmpty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
