#include "service/cluster/log_order.h"

#include <algorithm>

#include "storage/bytes.h"

namespace neardup {
namespace {

constexpr std::uint64_t kLogOrderVersion = 1;

bool is_valid(const LogState& state) {
  return state.next_seq > 0 && state.next_seq <= kMaxSeq &&
         std::ranges::all_of(state.positions, [](const Position& p) { return p.offset >= 0; });
}

void drop_seen(std::int64_t position, LogChunk& chunk) {
  const std::vector<Record>& records = chunk.batch.records;
  const auto first = std::ranges::partition_point(records, [&](const Record& record) {
    return record.source.place < static_cast<std::uint64_t>(position);
  });
  if (first != records.begin())
    drop_first(chunk, static_cast<std::size_t>(first - records.begin()));
}

}  // namespace

std::string encode_log_state(const LogState& state) {
  std::string bytes;
  ByteWriter writer(bytes);
  writer.little_endian(kLogOrderVersion, 1);
  writer.bytes(encode_positions(state.positions));
  writer.varint(state.next_seq);
  writer.varint(state.epoch);
  return bytes;
}

std::optional<LogState> decode_log_state(std::string_view bytes) {
  ByteReader reader(bytes);
  if (reader.little_endian(1) != kLogOrderVersion) return {};
  auto positions = decode_positions(reader.bytes());
  if (!positions) return {};
  LogState state{*std::move(positions), reader.varint(), reader.varint()};
  if (!reader.finished() || !is_valid(state)) return {};
  return state;
}

LogTurn LogOrder::take(LogOutcome decoded, LogMessage& message) {
  switch (decoded) {
    case LogOutcome::kChunk:
      return take_chunk(message.chunk);
    case LogOutcome::kPlacement:
      return take_placement(message.placement);
    default:
      return {.outcome = decoded};
  }
}

LogTurn LogOrder::take_chunk(LogChunk& chunk) {
  const SourceRange& range = chunk.range;
  const std::size_t place = place_of(range.source);
  const bool is_new = place == state_.positions.size();
  const std::int64_t position = is_new ? 0 : state_.positions[place].offset;
  if (range.end <= position) return {.outcome = LogOutcome::kSeen};
  if (range.start > position) return {.outcome = LogOutcome::kGap};
  if (is_new) state_.positions.push_back({range.source, 0});
  state_.positions[place].offset = range.end;
  drop_seen(position, chunk);
  for (Record& record : chunk.batch.records)
    record.source.input = static_cast<std::uint32_t>(place);
  const Seq first = state_.next_seq;
  state_.next_seq += chunk.batch.size();
  return {.outcome = LogOutcome::kChunk, .first = first};
}

LogTurn LogOrder::take_placement(const Placement& placement) {
  if (placement.epoch != state_.epoch + 1) return {.outcome = LogOutcome::kVoidPlacement};
  state_.epoch = placement.epoch;
  return {.outcome = LogOutcome::kPlacement, .first = state_.next_seq};
}

// Of a new source: where it is appended, so that the places of the others stay.
std::size_t LogOrder::place_of(const TopicPartition& source) const {
  const auto known = std::ranges::find(state_.positions, source, &Position::partition);
  return static_cast<std::size_t>(known - state_.positions.begin());
}

}  // namespace neardup
