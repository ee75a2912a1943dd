// The frame of all messages in the log of a cluster (docs/formats/log.md).
//
//   message := version:u8 kind:u8 bytes(cluster) body check:u64le
//   check   := XXH3 (64 bits) of everything before it
//
// Every later version keeps version, cluster and check where they are, so that a reader can tell a
// newer message from a damaged one. bytes and varint are those of storage/format.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

// More than the frame takes, with a uuid as the name of the cluster.
inline constexpr std::size_t kMostLogFrameBytes = 64;

enum class LogKind : std::uint8_t { kChunk = 1, kPlacement = 2 };

// What a message is to the readers of the log. It follows from the messages before it, the cluster
// and its rule alone, so that all readers say the same of it.
enum class LogOutcome : std::uint8_t {
  kChunk,          // counts, from a record on
  kPlacement,      // counts
  kSeen,           // passed over: an earlier chunk had its last record already
  kGap,            // passed over: a chunk that begins behind the position of its source
  kVoidPlacement,  // passed over: not the successor of the placement that holds
  kOtherRule,      // passed over
  kOtherCluster,   // passed over
  kDamaged,        // passed over: not what encoding writes
  kNewerFormat,    // never passed over: this program is too old, and ends with Exit::kUnavailable
};

// Begins a message; the body is appended to it.
std::string begin_log_message(LogKind kind, std::string_view cluster);
// Ends it.
void seal_log_message(std::string& message);

// kChunk, kPlacement, kOtherCluster, kDamaged or kNewerFormat; with the first two, what is in the
// frame. A view of the message.
struct OpenedLogMessage {
  LogOutcome outcome = LogOutcome::kDamaged;
  std::string_view body;
};
OpenedLogMessage open_log_message(std::string_view message, std::string_view cluster);

}  // namespace neardup
