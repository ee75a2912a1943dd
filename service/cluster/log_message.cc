#include "service/cluster/log_message.h"

#include <xxhash.h>

#include "storage/bytes.h"

namespace neardup {
namespace {

constexpr std::uint64_t kLogMessageVersion = 1;
constexpr int kCheckBytes = 8;

std::uint64_t check_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

bool is_kind(std::uint64_t kind) {
  return kind >= static_cast<std::uint64_t>(LogKind::kChunk) &&
         kind <= static_cast<std::uint64_t>(LogKind::kAnswers);
}

OpenedFrame open_checked(std::string_view bytes, std::string_view cluster) {
  ByteReader reader(bytes);
  const std::uint64_t version = reader.little_endian(1);
  const std::uint64_t kind = reader.little_endian(1);
  const std::string_view of_cluster = reader.bytes();
  const std::string_view body = reader.rest();
  if (!reader.finished() || version == 0) return {};
  if (of_cluster != cluster) return {.outcome = FrameOutcome::kOtherCluster};
  if (version > kLogMessageVersion) return {.outcome = FrameOutcome::kNewerFormat};
  if (!is_kind(kind)) return {};
  return {FrameOutcome::kOpened, static_cast<LogKind>(kind), body};
}

OpenedLogMessage opened_in_log(const OpenedFrame& frame) {
  switch (frame.kind) {
    case LogKind::kChunk:
      return {LogOutcome::kChunk, frame.body};
    case LogKind::kPlacement:
      return {LogOutcome::kPlacement, frame.body};
    case LogKind::kDecided:
    case LogKind::kAnswers:
      break;
  }
  return {};
}

}  // namespace

std::string begin_log_message(LogKind kind, std::string_view cluster) {
  std::string message;
  ByteWriter writer(message);
  writer.little_endian(kLogMessageVersion, 1);
  writer.little_endian(static_cast<std::uint8_t>(kind), 1);
  writer.bytes(cluster);
  return message;
}

void seal_log_message(std::string& message) {
  ByteWriter(message).little_endian(check_of(message), kCheckBytes);
}

OpenedFrame open_frame(std::string_view message, std::string_view cluster) {
  if (message.size() < kCheckBytes) return {};
  const std::string_view checked = message.substr(0, message.size() - kCheckBytes);
  ByteReader check(message.substr(checked.size()));
  if (check.little_endian(kCheckBytes) != check_of(checked)) return {};
  return open_checked(checked, cluster);
}

OpenedLogMessage open_log_message(std::string_view message, std::string_view cluster) {
  const OpenedFrame frame = open_frame(message, cluster);
  switch (frame.outcome) {
    case FrameOutcome::kOpened:
      return opened_in_log(frame);
    case FrameOutcome::kOtherCluster:
      return {LogOutcome::kOtherCluster, {}};
    case FrameOutcome::kNewerFormat:
      return {LogOutcome::kNewerFormat, {}};
    case FrameOutcome::kDamaged:
      break;
  }
  return {};
}

std::optional<std::string> cluster_of(std::string_view message) {
  ByteReader reader(message);
  reader.little_endian(2);
  std::string cluster(reader.bytes());
  const FrameOutcome outcome = open_frame(message, cluster).outcome;
  if (outcome == FrameOutcome::kDamaged) return {};
  return cluster;
}

}  // namespace neardup
