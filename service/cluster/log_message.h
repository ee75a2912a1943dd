// The frame of all messages in the topics of a cluster (docs/formats/log.md), and what a message is
// to readers of the log.
//
//   message := version:u8 kind:u8 bytes(cluster) body check:u64le
//   check   := XXH3 (64 bits) of everything before it
//
// Every later version keeps version, cluster and check where they are, so that a reader can tell a
// newer message from a damaged one. bytes and varint are those of storage/format.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

// More than the frame takes, with a uuid as the name of the cluster.
inline constexpr std::size_t kMostLogFrameBytes = 64;

// Chunks and placements are in the log, decided batches in the topic of decisions, answers in the
// topic of answers.
enum class LogKind : std::uint8_t { kChunk = 1, kPlacement = 2, kDecided = 3, kAnswers = 4 };

enum class FrameOutcome : std::uint8_t {
  kOpened,
  kOtherCluster,
  kDamaged,
  kNewerFormat,  // this program is too old: it ends with Exit::kUnavailable
};

// The use of a message for the readers of the log. It follows from the messages before it, the
// cluster and its rule alone, so that all readers say the same of it.
enum class LogOutcome : std::uint8_t {
  kChunk,          // counts, from a record on
  kPlacement,      // counts
  kSeen,           // skipped: an earlier chunk had its last record already
  kGap,            // skipped: a chunk that begins behind the position of its source
  kVoidPlacement,  // skipped: not the successor of the current placement
  kOtherRule,      // skipped
  kOtherCluster,   // skipped
  kDamaged,        // skipped: not what encoding writes
  kNewerFormat,    // never skipped: this program is too old, and ends with Exit::kUnavailable
};

// Begins a message; the body is appended to it.
std::string begin_log_message(LogKind kind, std::string_view cluster);
// Ends it.
void seal_log_message(std::string& message);

// Of any kind. With kOpened, what is in the frame: a view of the message.
struct OpenedFrame {
  FrameOutcome outcome = FrameOutcome::kDamaged;
  LogKind kind = LogKind::kChunk;
  std::string_view body = {};
};
OpenedFrame open_frame(std::string_view message, std::string_view cluster);

// Of a message of the log: kChunk, kPlacement, kOtherCluster, kDamaged or kNewerFormat; with the
// first two, what is in the frame. A view of the message.
struct OpenedLogMessage {
  LogOutcome outcome = LogOutcome::kDamaged;
  std::string_view body = {};
};
OpenedLogMessage open_log_message(std::string_view message, std::string_view cluster);

// The uuid of the cluster that a message of any kind is of. Nothing for a damaged one.
std::optional<std::string> cluster_of(std::string_view message);

}  // namespace neardup
