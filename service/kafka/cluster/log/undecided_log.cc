#include "service/kafka/cluster/log/undecided_log.h"

#include <algorithm>

namespace neardup {
namespace {

// Sources are appended in the order in which LogOrder appends them.
void go_past(const UndecidedChunk& chunk, LogState& state) {
  const auto known =
      std::ranges::find(state.positions, chunk.source.partition, &Position::partition);
  if (known == state.positions.end()) {
    state.positions.push_back(chunk.source);
  } else {
    known->offset = chunk.source.offset;
  }
}

void stand_before(const UndecidedChunk& chunk, LogPlace& place) {
  place.offset = chunk.offset;
  place.state.next_seq = chunk.first;
  place.state.epoch = chunk.epoch;
}

}  // namespace

UndecidedLog::UndecidedLog(const LogContext& context, LogPlace place, Placement placement)
    : counter_(context, place.state),
      offset_(place.offset),
      front_(std::move(place)),
      placements_{{0, std::move(placement)}} {}

void UndecidedLog::take(std::int64_t offset, std::int64_t ts_ms, std::string_view bytes) {
  const std::uint64_t epoch = counter_.state().epoch;
  const LogTurn turn = counter_.take(offset, bytes);
  if (turn.outcome == LogOutcome::kNewerFormat) throw newer_log_message(offset);
  offset_ = offset + 1;
  LogMessage& message = counter_.message();
  if (turn.outcome == LogOutcome::kPlacement)
    placements_.emplace_back(turn.first, message.placement);
  if (turn.outcome != LogOutcome::kChunk) return;
  LogChunk& chunk = message.chunk;
  chunks_.push_back({.first = turn.first,
                     .batch = std::move(chunk.batch),
                     .traces = std::move(chunk.traces),
                     .ts_ms = ts_ms,
                     .offset = offset,
                     .epoch = epoch,
                     .source = {chunk.range.source, chunk.range.end}});
}

// Of chunks with the same first seq, only the last one has records.
const UndecidedChunk* UndecidedLog::chunk_of(Seq seq) const {
  const auto behind = std::ranges::upper_bound(chunks_, seq, {}, &UndecidedChunk::first);
  if (behind == chunks_.begin()) return nullptr;
  const UndecidedChunk& chunk = *std::prev(behind);
  return seq < chunk.next() ? &chunk : nullptr;
}

const Placement& UndecidedLog::placement(Seq seq) const {
  const auto behind = std::ranges::upper_bound(
      placements_, seq, {}, [](const auto& placement) { return placement.first; });
  return std::prev(behind)->second;
}

LogPlace UndecidedLog::place_of(Seq next) const {
  LogPlace place = front_;
  for (const UndecidedChunk& chunk : chunks_) {
    stand_before(chunk, place);
    if (chunk.next() > next) return place;
    go_past(chunk, place.state);
  }
  place.offset = offset_;
  place.state.next_seq = next_seq();
  place.state.epoch = counter_.state().epoch;
  return place;
}

void UndecidedLog::drop_below(Seq next) {
  while (!chunks_.empty() && chunks_.front().next() <= next) pop_front();
  while (placements_.size() > 1 && placements_[1].first <= next) placements_.pop_front();
}

void UndecidedLog::pop_front() {
  go_past(chunks_.front(), front_.state);
  chunks_.pop_front();
}

}  // namespace neardup
