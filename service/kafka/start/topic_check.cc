#include "service/kafka/start/topic_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

[[noreturn]] void refuse_replay(const std::string& topic, const std::string& was,
                                const std::string& is) {
  throw Failure(
      Exit::kUnavailable,
      fmt::format("the state is older than what was delivered, and topic {} was deleted and "
                  "recreated since (its id was {}, and now it is {}): its records cannot be read "
                  "again. Nothing was sent. Restore a newer copy of the state, or build a new one "
                  "with another kafka.group_id and a separate output topic.",
                  topic, was, is));
}

// After the batch of that mark; nothing: the state does not have them any more.
std::optional<Positions> positions_at(const CommitMetadata& mark, const StateHead& head,
                                      const OutboxReader& outbox) {
  if (mark == head.mark) return head.positions;
  const std::optional<StoredBatch> next = outbox(mark.batch + 1);
  if (!next || next->before != mark) return {};
  return next->from;
}

}  // namespace

TopicIds ids_of(const std::vector<CommittedOffset>& committed) {
  TopicIds ids;
  for (const CommittedOffset& one : committed) {
    if (const std::string id = topic_id_of_mark(one.metadata); !id.empty()) {
      ids.emplace(one.partition.topic, id);
    }
  }
  return ids;
}

TopicIds ids_of_positions(const TopicIds& state, const std::vector<CommittedOffset>& committed,
                          const TopicIds& now) {
  TopicIds ids = state;
  ids.merge(ids_of(committed));
  ids.insert(now.begin(), now.end());
  return ids;
}

void restore_offsets(const StateHead& head, const OutboxReader& outbox, const TopicIds& others,
                     std::vector<CommittedOffset>& committed) {
  const auto any =
      std::ranges::find_if(committed, [](const auto& one) { return one.offset.has_value(); });
  const auto mark = any == committed.end() ? std::nullopt : decode_mark(any->metadata);
  const auto positions = mark ? positions_at(*mark, head, outbox) : std::nullopt;
  if (!positions) return;
  for (CommittedOffset& one : committed) {
    const Position* position = find(*positions, one.partition);
    if (one.offset || position == nullptr || !others.contains(one.partition.topic)) continue;
    one.offset = position->offset;
    one.metadata = encode_mark(*mark);
  }
}

void require_same_topic(const std::string& topic, const TopicIds& then, const TopicIds& now) {
  const std::string was = id_of(then, topic);
  const std::string is = id_of(now, topic);
  if (!was.empty() && !is.empty() && was != is) refuse_replay(topic, was, is);
}

void require_replayable(const StateHead* head, const StateHead& target, const TopicIds& committed,
                        const TopicIds& now) {
  for (const Position& wanted : target.positions) {
    const std::string& topic = wanted.partition.topic;
    const TopicIds& of_state = head == nullptr ? committed : head->ids;
    const Position* position = head == nullptr ? nullptr : find(head->positions, wanted.partition);
    const bool reads = position == nullptr || *position != wanted;
    require_same_topic(topic, of_state, committed);
    if (!reads) continue;
    require_same_topic(topic, committed, now);
    require_same_topic(topic, of_state, now);
  }
}

}  // namespace neardup
