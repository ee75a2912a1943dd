// The newest part of the log in memory, as shards and resolvers hold it: chunks with the seqs of
// their records, from the first record that is not decided on, and the placements that hold.
//
// A chunk is what counts of one message, so that all readers cut the log alike, wherever they
// begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/kafka_probe.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/log_order.h"
#include "service/cluster/placement.h"
#include "service/kafka/cluster/log/log_counter.h"
#include "service/kafka/message/trace_context.h"
#include "service/log/log.h"

namespace neardup {

// Where a reader of the log begins.
struct LogPlace {
  std::int64_t offset = 0;  // of the next message
  LogState state;           // before it
  bool operator==(const LogPlace&) const = default;
};

struct UndecidedChunk {
  Seq first = 1;  // of its records, of which there may be none
  SketchedBatch batch;
  std::vector<std::optional<TraceContext>> traces;  // as in LogChunk
  std::int64_t ts_ms = 0;                           // when its message was written

  // Of the log before it, in addition to `first`, and what it changes.
  std::int64_t offset = 0;
  std::uint64_t epoch = 0;
  Position source;  // its own, behind it

  Seq next() const { return first + batch.size(); }
};

class UndecidedLog {
 public:
  // `placement`: the one of `place`.
  UndecidedLog(const LogContext& context, LogPlace place, Placement placement);

  // The next message of the log, or a later one where offsets have none. Throws
  // Failure(kUnavailable) for one of a newer format, and nothing has changed.
  void take(std::int64_t offset, std::int64_t ts_ms, std::string_view bytes);

  // Of the next message.
  std::int64_t offset() const { return offset_; }
  // Behind the last record that was taken.
  Seq next_seq() const { return counter_.state().next_seq; }

  // Of all sources up to there, whose places are SourcePosition::input of records.
  const Positions& positions() const { return counter_.state().positions; }

  // The chunk of a record; null: it was dropped, or is not taken yet. Valid until it is dropped.
  const UndecidedChunk* chunk_of(Seq seq) const;
  // The placement that holds at a record. Requires: it is not dropped.
  const Placement& placement(Seq seq) const;
  // That of the last record.
  const Placement& placement() const { return placements_.back().second; }

  // Where a reader begins for whom the records below `next` are decided, as Decided says it: at the
  // message of `next`. Requires: that record is not dropped, and no later one than the next.
  LogPlace place_of(Seq next) const;

  // The records below `next` are decided, and their chunks no longer needed.
  void drop_below(Seq next);

 private:
  void pop_front();

  LogCounter counter_;
  std::int64_t offset_;
  LogPlace front_;  // before the first chunk
  std::deque<UndecidedChunk> chunks_;
  std::deque<std::pair<Seq, Placement>> placements_;  // from a seq on; never empty
};

}  // namespace neardup
