#include "service/kafka/cluster/sketcher/source_start.h"

#include <algorithm>

#include "service/kafka/message/commit_metadata.h"

namespace neardup {
namespace {

// A partition that is added later is read from its beginning, regardless of kafka.start.
bool knows_topic(const Decided& decided, const std::string& topic) {
  return std::ranges::any_of(decided.log.positions, [&](const Position& position) {
    return position.partition.topic == topic;
  });
}

}  // namespace

std::optional<std::int64_t> accepted_position(const Decided& decided,
                                              const TopicPartition& partition) {
  const Position* accepted = find(decided.log.positions, partition);
  return accepted == nullptr ? std::nullopt : std::optional(accepted->offset);
}

bool passed_over(const Appended& appended, const TopicPartition& partition,
                 const Decided& decided) {
  return decided.offset > appended.log_offset &&
         accepted_position(decided, partition).value_or(0) < appended.offset;
}

SourceStart source_start(const CommittedOffset& committed, const Decided& decided,
                         std::string_view log_id) {
  using enum SourceStart::Read;
  const auto accepted = accepted_position(decided, committed.partition);
  if (!committed.offset) {
    if (accepted) return {.range = *accepted};
    return {.read = knows_topic(decided, committed.partition.topic) ? kFromOldest : kAsAsked};
  }
  const auto mark = decode_log_mark(committed.metadata);
  if (!mark) {
    // Somebody else has set that offset: it says which record comes first, if none has counted yet.
    if (accepted) return {.range = *accepted};
    return {.offset = committed.offset};
  }
  const bool is_of_other_log = !mark->log_id.empty() && !log_id.empty() && mark->log_id != log_id;
  if (!is_of_other_log &&
      !passed_over({*committed.offset, mark->offset}, committed.partition, decided)) {
    return {.range = std::max(*committed.offset, accepted.value_or(0))};
  }
  if (accepted) return {.range = *accepted, .again = true};
  return {.read = kFromOldest, .again = true};
}

}  // namespace neardup
