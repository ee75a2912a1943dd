#include "config/librdkafka_keys.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

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
    {"allow.auto.create.topics", "topics are made on request only; start with --create-topics"},
}};

void check_owned(std::string_view map, const std::string& key, Findings& findings) {
  const auto owned = std::ranges::find(kOwned, key, &OwnedKey::key);
  if (owned == kOwned.end()) return;
  const std::string path = fmt::format("{}.{}", map, key);
  findings.report({path}, fmt::format("`{}` is set by the service itself: {}", path, owned->why));
}

}  // namespace

bool is_secret_key(std::string_view key) {
  const auto contains = [&](std::string_view part) { return key.find(part) != key.npos; };
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"password", "passphrase", "secret", "key.pem",
                                              "ssl_key", "oauthbearer.config"},
      contains);
}

void check_librdkafka(const KafkaOptions& kafka, Findings& findings) {
  for (const auto& entry : kafka.librdkafka) check_owned("kafka.librdkafka", entry.first, findings);
  for (const auto& [key, file] : kafka.secrets) {
    check_owned("kafka.secrets", key, findings);
    if (!kafka.librdkafka.contains(key)) continue;
    findings.report({"kafka.secrets." + key},
                    fmt::format("{} stands in `kafka.librdkafka` too; keep one", quote(key)));
  }
}

}  // namespace neardup
