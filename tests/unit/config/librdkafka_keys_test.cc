#include "config/librdkafka_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/config/load_helper.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Value;

TEST(LibrdkafkaKeys, ThatTheServiceOwnsAreRefusedWithWhatToSet) {
  EXPECT_THAT(load_yaml("kafka:\n  librdkafka:\n    client.id: x\n    group.id: y\n"
                        "    auto.offset.reset: latest\n")
                  .problems,
              ElementsAre("config.yaml:5: `kafka.librdkafka.auto.offset.reset` is set by the "
                          "service itself: set `kafka.start`",
                          "config.yaml:4: `kafka.librdkafka.group.id` is set by the service "
                          "itself: set `kafka.group_id`"));
  for (const char* key :
       {"bootstrap.servers", "metadata.broker.list", "group.id", "transactional.id",
        "enable.idempotence", "isolation.level", "enable.auto.commit", "enable.auto.offset.store",
        "enable.partition.eof", "auto.offset.reset", "acks", "request.required.acks",
        "group.instance.id", "partition.assignment.strategy"}) {
    for (const char* map : {"kafka.librdkafka.", "kafka.secrets."}) {
      EXPECT_THAT(load_sets({std::string(map) + key + "=x"}).problems,
                  ElementsAre(HasSubstr("--set: `" + std::string(map) + key + "` is set by")));
    }
  }
}

TEST(LibrdkafkaKeys, AnyOtherIsTaken) {
  for (const char* key : {"test.mock.num.brokers", "security.protocol", "no.such.key"}) {
    EXPECT_THAT(load_sets({std::string("kafka.librdkafka.") + key + "=1"}).problems, IsEmpty());
  }
}

// Those that librdkafka 2.8 marks as sensitive, but for paths, names and certificates; and more.
TEST(LibrdkafkaKeys, ThatTheLibraryCallsSensitiveAreSecret) {
  for (const char* key :
       {"sasl.password", "ssl.key.password", "ssl.key.pem", "ssl_key", "ssl.keystore.password",
        "sasl.oauthbearer.config", "sasl.oauthbearer.client.secret"}) {
    EXPECT_TRUE(is_secret_key(key)) << key;
  }
}

TEST(LibrdkafkaKeys, TheSecretOnesAreThoseThatThePatternFinds) {
  for (const char* key :
       {"sasl.password", "ssl.key.pem", "ssl.keyxpem", "ssl_key", "ssl.key.location",
        "sasl.username", "ssl.ca.pem", "sasl.oauthbearer.config", "sasl.oauthbearerxconfig",
        "a.passphrase", "client.secret.x", ""}) {
    EXPECT_EQ(is_secret_key(key), Value(std::string(key), ContainsRegex(secret_key_pattern())))
        << key;
  }
}

TEST(LibrdkafkaKeys, OneWithAValueAndASecretFileIsAProblem) {
  LoadRequest request;
  request.file = "config.yaml";
  request.environment = {{"NEARDUP_KAFKA_LIBRDKAFKA_SASL_PASSWORD", "hunter2"}};
  EXPECT_THAT(load_config_text("kafka:\n  secrets:\n    sasl.password: /x\n  librdkafka: "
                               "{security.protocol: SASL_SSL, sasl.mechanism: PLAIN}\n",
                               request)
                  .problems,
              ElementsAre("config.yaml:3: `sasl.password` is also in `kafka.librdkafka`; keep "
                          "one"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
