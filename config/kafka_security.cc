#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "config/checks.h"
#include "config/suggest.h"

namespace neardup {
namespace {

constexpr std::string_view kMechanisms =
    "`SCRAM-SHA-512`, `SCRAM-SHA-256`, `PLAIN` or `OAUTHBEARER`";
constexpr std::array<std::string_view, 4> kWithoutPlugin{"SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN",
                                                         "OAUTHBEARER"};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; });
  return result;
}

bool is_login_key(std::string_view key) {
  return key.starts_with("sasl.") || key.find(".sasl.") != key.npos;
}

bool is_tls_key(std::string_view key) {
  return key.starts_with("ssl.") || key.starts_with("ssl_") || key.find(".ssl.") != key.npos;
}

class SecurityChecks {
 public:
  SecurityChecks(const KafkaOptions& kafka, const KafkaClientLibrary* library, Findings& findings)
      : kafka_(kafka), library_(library), findings_(findings) {}

  void run() {
    const auto protocol = value("security.protocol");
    protocol_ = lower(protocol.value_or("plaintext"));
    login_ = protocol_.starts_with("sasl");
    tls_ = protocol_.ends_with("ssl");
    without_effect(is_login_key, login_, "SASL_SSL", "logs in");
    without_effect(is_tls_key, tls_, login_ ? "SASL_SSL" : "SSL", "uses TLS");
    if (login_) mechanism();
    if (tls_) trust();
  }

 private:
  // The value of a key; nothing when it is not set, or is a secret whose file was not read.
  std::optional<std::string> value(const std::string& key) const {
    for (const auto* map : {&kafka_.librdkafka, &kafka_.secret_values}) {
      if (const auto entry = map->find(key); entry != map->end()) return entry->second;
    }
    return std::nullopt;
  }

  bool is_true(const std::string& key) const {
    const std::string text = lower(value(key).value_or(""));
    return text == "true" || text == "t" || text == "1";
  }

  bool is_false(const std::string& key) const {
    const std::string text = lower(value(key).value_or(""));
    return text == "false" || text == "f" || text == "0";
  }

  // Unless `used`, reports the first key of the kind: none of them takes effect.
  void without_effect(bool (*is_kind)(std::string_view), bool used, std::string_view wanted,
                      std::string_view does) {
    if (used) return;
    for (const auto& [section, map] :
         {std::pair{"kafka.librdkafka", &kafka_.librdkafka}, {"kafka.secrets", &kafka_.secrets}}) {
      const auto entry =
          std::ranges::find_if(*map, [&](const auto& one) { return is_kind(one.first); });
      if (entry == map->end()) continue;
      const std::string path = fmt::format("{}.{}", section, entry->first);
      findings_.report(
          {path}, fmt::format("{} is set, but {}, which never {}; set "
                              "`kafka.librdkafka.security.protocol: {}`{}",
                              quote(path),
                              value("security.protocol")
                                  ? fmt::format("`security.protocol` is {}", quote(protocol_))
                                  : "`security.protocol` is not: the default is `plaintext`",
                              does, wanted,
                              is_kind == is_login_key ? " (or `SASL_PLAINTEXT` where the network "
                                                        "is trusted)"
                                                      : ""));
      return;
    }
  }

  void mechanism() {
    const auto name = value("sasl.mechanism") ? value("sasl.mechanism") : value("sasl.mechanisms");
    if (!name) {
      findings_.report(
          {"kafka.librdkafka.security.protocol"},
          fmt::format("`kafka.librdkafka.sasl.mechanism` is missing: set it to {}", kMechanisms));
    } else if (*name == "OAUTHBEARER") {
      token_source();
    } else if (*name == "PLAIN" && !tls_) {
      findings_.warn({"kafka.librdkafka.security.protocol"},
                     "`sasl.mechanism: PLAIN` without TLS sends the password in clear text");
    } else if (std::ranges::find(kWithoutPlugin, *name) == kWithoutPlugin.end()) {
      other_mechanism(*name);
    }
  }

  void other_mechanism(const std::string& name) {
    const auto refuse = [&](std::string_view why) {
      findings_.report(
          {"kafka.librdkafka.sasl.mechanism", "kafka.librdkafka.sasl.mechanisms"},
          fmt::format("`sasl.mechanism: {}` cannot be used: {}; use {}", name, why, kMechanisms));
    };
    if (name == "GSSAPI") {
      if (library_ == nullptr || library_->can_log_in_by(name)) return;
      refuse("Cyrus SASL has no plugin for it here (Debian: libsasl2-modules-gssapi-mit)");
    } else if (name == "AWS_MSK_IAM") {
      refuse(
          "it is Amazon's own, for Java clients. MSK takes SCRAM-SHA-512 and client "
          "certificates, too");
    } else {
      refuse("librdkafka does not know it");
    }
  }

  // Without a source of tokens librdkafka waits forever, silently, for the program to set one.
  void token_source() {
    if (lower(value("sasl.oauthbearer.method").value_or("")) == "oidc") return;
    if (is_true("enable.sasl.oauthbearer.unsecure.jwt")) {
      return findings_.warn({"kafka.librdkafka.enable.sasl.oauthbearer.unsecure.jwt"},
                            "`enable.sasl.oauthbearer.unsecure.jwt` makes unsigned tokens: any "
                            "client can claim any name; for tests only");
    }
    findings_.report({"kafka.librdkafka.sasl.mechanism", "kafka.librdkafka.sasl.mechanisms"},
                     "`sasl.mechanism: OAUTHBEARER` has no source of tokens: set "
                     "`sasl.oauthbearer.method: oidc`, `sasl.oauthbearer.token.endpoint.url` and "
                     "`sasl.oauthbearer.client.id` in `kafka.librdkafka`, and "
                     "`sasl.oauthbearer.client.secret` in `kafka.secrets`");
  }

  void trust() {
    if (is_false("enable.ssl.certificate.verification")) {
      findings_.warn(
          {"kafka.librdkafka.enable.ssl.certificate.verification"},
          "`enable.ssl.certificate.verification` is off: anyone between this machine and "
          "the brokers can read and change everything, the login included; set "
          "`ssl.ca.location` to the brokers' authority instead");
    } else if (lower(value("ssl.endpoint.identification.algorithm").value_or("")) == "none") {
      findings_.warn({"kafka.librdkafka.ssl.endpoint.identification.algorithm"},
                     "`ssl.endpoint.identification.algorithm: none` takes a certificate of any "
                     "host for the brokers'");
    }
  }

  const KafkaOptions& kafka_;
  const KafkaClientLibrary* const library_;
  Findings& findings_;
  std::string protocol_;
  bool login_ = false;
  bool tls_ = false;
};

}  // namespace

void check_kafka_security(const KafkaOptions& kafka, const KafkaClientLibrary* library,
                          Findings& findings) {
  SecurityChecks(kafka, library, findings).run();
}

}  // namespace neardup
