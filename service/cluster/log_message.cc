#include "service/cluster/log_message.h"

#include <xxhash.h>

#include "storage/bytes.h"

namespace neardup {
namespace {

constexpr std::uint64_t kVersion = 1;
constexpr int kCheckBytes = 8;

std::uint64_t check_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

OpenedLogMessage open_checked(std::string_view bytes, std::string_view cluster) {
  ByteReader reader(bytes);
  const std::uint64_t version = reader.little_endian(1);
  const std::uint64_t kind = reader.little_endian(1);
  const std::string_view of_cluster = reader.bytes();
  const std::string_view body = reader.rest();
  if (!reader.finished() || version == 0) return {};
  if (of_cluster != cluster) return {LogOutcome::kOtherCluster, {}};
  if (version > kVersion) return {LogOutcome::kNewerFormat, {}};
  switch (kind) {
    case static_cast<std::uint64_t>(LogKind::kChunk):
      return {LogOutcome::kChunk, body};
    case static_cast<std::uint64_t>(LogKind::kPlacement):
      return {LogOutcome::kPlacement, body};
    default:
      return {};
  }
}

}  // namespace

std::string begin_log_message(LogKind kind, std::string_view cluster) {
  std::string message;
  ByteWriter writer(message);
  writer.little_endian(kVersion, 1);
  writer.little_endian(static_cast<std::uint8_t>(kind), 1);
  writer.bytes(cluster);
  return message;
}

void seal_log_message(std::string& message) {
  ByteWriter(message).little_endian(check_of(message), kCheckBytes);
}

OpenedLogMessage open_log_message(std::string_view message, std::string_view cluster) {
  if (message.size() < kCheckBytes) return {};
  const std::string_view checked = message.substr(0, message.size() - kCheckBytes);
  ByteReader check(message.substr(checked.size()));
  if (check.little_endian(kCheckBytes) != check_of(checked)) return {};
  return open_checked(checked, cluster);
}

}  // namespace neardup
