// The rule by which every reader of the log counts its records, so that all give a record the same
// seq, even if sketchers send records twice, late or wrongly (docs/formats/log.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/model/types.h"
#include "service/cluster/log_decoder.h"

namespace neardup {

// How far a reader of the log is, in addition to its offset.
struct LogState {
  // Of each source, behind its last record that counted; a source that is not there is at 0.
  Positions positions;
  Seq next_seq = 1;
  std::uint64_t epoch = 0;  // of the placement that holds; 0: none yet
  bool operator==(const LogState&) const = default;
};

// Meta key of a state that holds what a log has: its LogState, encoded.
inline constexpr std::string_view kMetaLogState = "cluster/log";

// state := version:u8 = 1 bytes(positions) next_seq:varint epoch:varint
std::string encode_log_state(const LogState& state);
// Nothing unless the bytes are exactly what encoding writes.
std::optional<LogState> decode_log_state(std::string_view bytes);

struct LogTurn {
  LogOutcome outcome = LogOutcome::kDamaged;
  // kChunk: the seq of its first record. kPlacement: the seq from which it holds. Otherwise 0.
  Seq first = 0;
  bool operator==(const LogTurn&) const = default;
};

// Takes every message of the log, in the order of the log. Not thread-safe.
class LogOrder {
 public:
  explicit LogOrder(LogState state = {}) : state_(std::move(state)) {}

  // `decoded`: the outcome of LogDecoder::decode. The state changes if the message counts. Then a
  // chunk keeps only those of its records that count, maybe none, and SourcePosition::input of each
  // becomes the place of its source in LogState::positions.
  LogTurn take(LogOutcome decoded, LogMessage& message);

  const LogState& state() const { return state_; }

 private:
  LogTurn take_chunk(LogChunk& chunk);
  LogTurn take_placement(const Placement& placement);
  std::size_t place_of(const TopicPartition& source) const;

  LogState state_;
};

}  // namespace neardup
