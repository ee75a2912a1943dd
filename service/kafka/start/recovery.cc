#include "service/kafka/start/recovery.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "pipeline/base/failure.h"
#include "pipeline/state_keys.h"
#include "service/kafka/read/fetch.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/start/topic_check.h"
#include "service/kafka/store/batch_text.h"
#include "service/kafka/store/chain.h"
#include "service/kafka/store/state_head.h"

namespace neardup {
namespace {

class Recovery {
 public:
  Recovery(const RecoveryOptions& options, Store& store, Consumer& consumer, Deliverer& deliverer,
           TopicWatch& topics, RetryPolicy& retry)
      : options_(options),
        store_(store),
        consumer_(consumer),
        deliverer_(deliverer),
        topics_(topics),
        retry_(retry) {}

  Recovered run() {
    std::optional<StateHead> head = read_head(store_);
    deliverer_.start();
    now_ = topics_.ask(retry_);
    if (options_.change == LayoutChange::kMoved && head) return {move(*head), {}, {}, {}};
    std::vector<CommittedOffset> there = committed(head);
    topics_.know(ids_of_positions(head ? head->ids : TopicIds(), there, now_));
    others_ = made_again(topics_.known(), now_);
    if (head) require_offsets(*head, there);
    const RecoveryPlan plan = plan_recovery(head, there, outbox(), options_.trust_state);
    if (plan.target) {
      require_replayable(head ? &*head : nullptr, *plan.target, ids_of(there), now_);
    }
    if (!others_.empty() && !options_.skip_gap) topics_.refuse(others_);
    if (options_.change == LayoutChange::kTopicsAdded) store_layout();
    if (plan.target) return replay(head, *plan.target);
    if (!head) head = begin();
    if (plan.kind == RecoveryPlan::Kind::kResend) resend(plan.from, head->mark.batch);
    if (plan.kind == RecoveryPlan::Kind::kRepair) repair(*head);
    return {*head, {}, {}, outbox_up_to(store_, head->mark.batch)};
  }

 private:
  std::vector<TopicPartition> assigned() {
    const Assignment& assignment = options_.assignment;
    return assignment.partitions(await_partition_counts(consumer_, assignment.topics, retry_));
  }

  std::vector<CommittedOffset> committed(const std::optional<StateHead>& head) {
    Positions positions = head ? head->positions : Positions();
    for (TopicPartition& partition : assigned()) {
      if (find(positions, partition) == nullptr) positions.push_back({std::move(partition), 0});
    }
    return read_committed(consumer_, positions, retry_);
  }

  OutboxReader outbox() {
    return [this](auto number) { return read_outbox(store_, number); };
  }

  // Kafka forgets the offsets of a topic with it.
  void require_offsets(const StateHead& head, std::vector<CommittedOffset>& there) {
    restore_offsets(head, outbox(), others_, there);
    const bool none = std::ranges::none_of(
        there, [](const CommittedOffset& one) { return one.offset.has_value(); });
    if (none && !others_.empty() && !(options_.skip_gap && options_.trust_state)) {
      topics_.refuse(others_,
                     "With it, Kafka has forgotten what was committed. If the state is the newest, "
                     "start once with --skip-gap --trust-state: the new topic is read from its "
                     "beginning, and its records count as new.");
    }
  }

  void store_layout() {
    WriteSet writes;
    writes.meta.emplace_back(kMetaLayout, options_.layout);
    store_.commit(writes);
  }

  // Moves the state to another cluster: it continues with the next seq at positions of that
  // cluster. They are committed there before the state has them. A crash in between is harmless:
  // moving again ends the same way.
  StateHead move(const StateHead& head) {
    if (const auto stored = outbox_up_to(store_, head.mark.batch); !stored.empty()) {
      throw Failure(Exit::kUnavailable,
                    fmt::format("batches up to {} may not be delivered in the cluster that the "
                                "state comes from: the outbox holds {} to {}. Start the service "
                                "there once more and stop it with SIGTERM, which empties it",
                                head.mark.batch, stored.front(), stored.back()));
    }
    topics_.know(now_);
    const auto there = committed({});
    require_unmoved(head, there);
    DecidedBatch start;
    start.stored.to = places_of(head, there);
    start.stored.after = head.mark;
    ++start.stored.after.batch;
    const BatchScope scope(start.stored);
    deliverer_.deliver(start);
    retry_.log().warning("state moved",
                         {{"state", head.mark.state}, {"next_seq", head.mark.next_seq}});
    return take_over({start.stored.after, start.stored.to});
  }

  // The positions in the new cluster: committed by the group there, else the start by kafka.start.
  // Partitions keep their places.
  Positions places_of(const StateHead& head, const std::vector<CommittedOffset>& there) {
    Positions places = head.positions;
    for (Position& place : places) {
      const auto found = std::ranges::find(there, place.partition, &CommittedOffset::partition);
      if (found == there.end()) {
        throw Failure(Exit::kConfig, fmt::format("{} is not there: in the new cluster topics need "
                                                 "at least as many partitions as they had",
                                                 to_text(place.partition)));
      }
      place.offset = found->offset ? *found->offset : start_of(place.partition);
    }
    for (const CommittedOffset& one : there) {
      if (find(places, one.partition) != nullptr) continue;
      places.push_back({one.partition, one.offset ? *one.offset : start_of(one.partition)});
    }
    return places;
  }

  // Offsets in the new cluster may be set by hand, or by a move that was killed, but not by a newer
  // state.
  static void require_unmoved(const StateHead& head, const std::vector<CommittedOffset>& there) {
    for (const CommittedOffset& one : there) {
      const auto mark = decode_mark(one.metadata);
      if (!mark) continue;
      if (mark->state == head.mark.state && mark->chain == head.mark.chain &&
          mark->next_seq == head.mark.next_seq) {
        continue;
      }
      throw Failure(Exit::kUnavailable,
                    fmt::format("the group has moved to this cluster before: {} is committed with "
                                "\"{}\", and the state is at \"{}\". Use the state that moved",
                                to_text(one.partition), one.metadata, encode_mark(head.mark)));
    }
  }

  std::int64_t start_of(const TopicPartition& partition) {
    const Watermarks marks = await_watermarks(consumer_, partition, retry_);
    return options_.start == StartAt::kEarliest ? marks.low : marks.high;
  }

  Recovered replay(std::optional<StateHead> head, const StateHead& target) {
    if (!head && target.mark.next_seq == 1) return {take_over(target), {}, {}, {}};
    const OrderFrom order = order_from(head, target, options_.mode, options_.order_topic);
    if (!head) head = rebuild(target, order);
    return {*head, target, order, outbox_up_to(store_, head->mark.batch)};
  }

  // The state is lost. Starts an empty one with the same uuid, for a replay of all records.
  StateHead rebuild(const StateHead& target, OrderFrom order) {
    if (const Seq next = next_seq(); next != 1) {
      throw Failure(Exit::kUnavailable,
                    fmt::format("the group has committed offsets up to seq {}, and the state holds "
                                "documents up to seq {} but was never used by a service: it cannot "
                                "catch up. Use an empty directory, or another kafka.group_id",
                                target.mark.next_seq - 1, next - 1));
    }
    StateHead start{{target.mark.state, 0, Chain().digits(), 1}, target.positions};
    for (Position& position : start.positions) {
      position.offset = order == OrderFrom::kInput ? first_kept(position, target.mark.next_seq - 1)
                                                   : kUnknownOffset;
    }
    retry_.log().warning("state rebuilt from the topics",
                         {{"state", target.mark.state}, {"next_seq", target.mark.next_seq}});
    return take_over(start);
  }

  // The oldest offset of the only partition. Throws when fewer than `records` offsets are left from
  // there to `end`.
  std::int64_t first_kept(const Position& end, Seq records) {
    const std::int64_t low = await_watermarks(consumer_, end.partition, retry_).low;
    if (end.offset - low >= static_cast<std::int64_t>(records)) return low;
    throw Failure(Exit::kUnavailable,
                  fmt::format("the state is empty (was its directory lost?), and {} records of {} "
                              "were delivered, of which {} at most are still there: it begins at "
                              "offset {}, committed is {}. Restore a copy of the state, or build a "
                              "new one with another kafka.group_id and a separate output topic",
                              records, to_text(end.partition),
                              std::max<std::int64_t>(end.offset - low, 0), low, end.offset));
  }

  // Makes `head` the last batch of the state.
  StateHead take_over(const StateHead& head) {
    store(head, {});
    return head;
  }

  // Makes and delivers batch 0, so that committed positions exist as soon as the state does.
  StateHead begin() {
    DecidedBatch batch;
    for (TopicPartition& partition : assigned()) {
      const std::int64_t start = start_of(partition);
      batch.stored.to.push_back({std::move(partition), start});
    }
    batch.stored.after = {state_uuid(store_), 0, Chain().digits(), next_seq()};
    const BatchScope scope(batch.stored);
    retry_.log().debug("batch decided", {{"flags", batch.stored.flags.size()}});
    StateHead head{batch.stored.after, batch.stored.to};
    store(head, {{head.mark.batch, encode_batch(batch.stored, {})}});
    deliverer_.deliver(batch);
    return head;
  }

  // A state that `scan` has filled from files does not begin at seq 1.
  Seq next_seq() {
    const std::string text = store_.meta(kMetaNextSeq).value_or("1");
    Seq seq = 1;
    std::from_chars(text.data(), text.data() + text.size(), seq);
    return seq;
  }

  using Outbox = std::vector<std::pair<std::uint64_t, std::string>>;

  void store(const StateHead& head, Outbox outbox) {
    WriteSet writes;
    writes.meta.emplace_back(kMetaLayout, options_.layout);
    writes.meta.emplace_back(kMetaPositions, encode_positions(head.positions));
    writes.meta.emplace_back(kMetaTopicIds, encode_topic_ids(topics_.known()));
    writes.meta.emplace_back(kMetaMark, encode_mark(head.mark));
    writes.outbox = std::move(outbox);
    store_.commit(writes);
  }

  void resend(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t number = first; number <= last; ++number) {
      options_.progress(last - first + 1, number - first);
      DecidedBatch batch;
      batch.stored = read_outbox(store_, number).value();
      const BatchScope scope(batch.stored);
      batch.held =
          fetch_records(batch.stored, options_.mode, options_.skip_gap, others_, consumer_, retry_);
      deliverer_.deliver(batch);
      retry_.log().info("stored batch sent", {{"flags", batch.stored.flags.size()}});
    }
    options_.progress(last - first + 1, last - first + 1);
  }

  void repair(const StateHead& head) {
    DecidedBatch nothing;
    nothing.stored.to = head.positions;
    nothing.stored.after = head.mark;
    const BatchScope scope(nothing.stored);
    deliverer_.deliver(nothing);
  }

  const RecoveryOptions& options_;
  Store& store_;
  Consumer& consumer_;
  Deliverer& deliverer_;
  TopicWatch& topics_;
  RetryPolicy& retry_;
  TopicIds now_;     // asked for before any position is looked up
  TopicIds others_;  // topics recreated since the positions of the state
};

}  // namespace

Recovered recover(const RecoveryOptions& options, Store& store, Consumer& consumer,
                  Deliverer& deliverer, TopicWatch& topics, RetryPolicy& retry) {
  return Recovery(options, store, consumer, deliverer, topics, retry).run();
}

}  // namespace neardup
