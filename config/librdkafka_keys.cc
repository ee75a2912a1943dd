#include "config/librdkafka_keys.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "config/suggest.h"

namespace neardup {
namespace {

struct OwnedKey {
  std::string_view key;
  std::string_view why;
};
constexpr std::string_view kPositions = "the service commits positions together with their flags";
constexpr std::string_view kDelivery = "`kafka.guarantee` decides it";
constexpr std::string_view kAssignment =
    "partitions are assigned by `kafka.instance` and `kafka.instances`; set those";
constexpr std::array<OwnedKey, 15> kOwned{{
    {"bootstrap.servers", "set `kafka.brokers`"},
    {"metadata.broker.list", "set `kafka.brokers`"},
    {"group.id", "set `kafka.group_id`"},
    {"transactional.id",
     "it is made of `kafka.group_id`, `kafka.instances` and `kafka.instance`; set those"},
    {"enable.idempotence", kDelivery},
    {"acks", kDelivery},
    {"request.required.acks", kDelivery},
    {"isolation.level", "only committed messages are read"},
    {"enable.auto.commit", kPositions},
    {"enable.auto.offset.store", kPositions},
    {"enable.partition.eof", "the service must see where partitions end"},
    {"auto.offset.reset", "set `kafka.start`"},
    {"group.instance.id", kAssignment},
    {"partition.assignment.strategy", kAssignment},
    {"allow.auto.create.topics", "topics are created on request only; start with --create-topics"},
}};

// Parts of the names of keys whose values are secret.
constexpr std::array<std::string_view, 6> kSecretParts{
    "password", "passphrase", "secret", "key.pem", "ssl_key", "oauthbearer.config"};

// Reports a key that the service sets itself, and returns true for it.
bool check_owned(const std::string& path, std::string_view key, Findings& findings) {
  const auto owned = std::ranges::find(kOwned, key, &OwnedKey::key);
  if (owned == kOwned.end()) return false;
  findings.report({path}, fmt::format("`{}` is set by the service itself: {}", path, owned->why));
  return true;
}

// `value`: null for a secret, whose value is in a file.
void check_taken(const std::string& path, const std::string& key, const std::string* value,
                 const KafkaClientLibrary& library, Findings& findings) {
  switch (library.try_setting(key, value == nullptr ? std::string() : *value)) {
    case SettingAnswer::kTaken:
      return;
    case SettingAnswer::kUnknownKey: {
      const std::vector<std::string> known = library.keys();
      const auto similar = similar_name(key, known);
      return findings.report(
          {path}, fmt::format("{} is not a key of librdkafka{}", quote(path),
                              similar.empty() ? "; its CONFIGURATION.md lists them"
                                              : fmt::format(", did you mean `{}`?", similar)));
    }
    case SettingAnswer::kWrongValue:
      // The value is not named: it may be a secret.
      if (value == nullptr) return;
      return findings.report({path}, fmt::format("librdkafka does not accept this value of {}; its "
                                                 "CONFIGURATION.md lists what it takes",
                                                 quote(path)));
  }
}

}  // namespace

bool is_secret_key(std::string_view key) {
  const auto contains = [&](std::string_view part) { return key.find(part) != key.npos; };
  return std::ranges::any_of(kSecretParts, contains);
}

std::string secret_key_pattern() {
  std::string pattern;
  for (const std::string_view part : kSecretParts) {
    if (!pattern.empty()) pattern += '|';
    for (const char c : part) {
      if (c == '.') pattern += '\\';
      pattern += c;
    }
  }
  return pattern;
}

void check_librdkafka(const KafkaOptions& kafka, const KafkaClientLibrary* library,
                      Findings& findings) {
  for (const auto& [key, value] : kafka.librdkafka) {
    const std::string path = "kafka.librdkafka." + key;
    if (check_owned(path, key, findings) || library == nullptr) continue;
    check_taken(path, key, &value, *library, findings);
  }
  for (const auto& [key, file] : kafka.secrets) {
    const std::string path = "kafka.secrets." + key;
    if (check_owned(path, key, findings)) continue;
    if (library != nullptr) check_taken(path, key, nullptr, *library, findings);
    if (!kafka.librdkafka.contains(key)) continue;
    findings.report({"kafka.secrets." + key},
                    fmt::format("{} is also in `kafka.librdkafka`; keep one", quote(key)));
  }
}

}  // namespace neardup
