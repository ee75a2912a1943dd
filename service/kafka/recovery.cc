#include "service/kafka/recovery.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "pipeline/core/failure.h"
#include "pipeline/resolve.h"
#include "service/kafka/batch_scope.h"
#include "service/kafka/chain.h"
#include "service/kafka/read_again.h"
#include "service/kafka/state_head.h"

namespace neardup {
namespace {

class Recovery {
 public:
  Recovery(const RecoveryOptions& options, Store& store, Consumer& consumer, Deliverer& deliverer,
           Patience& patience)
      : options_(options),
        store_(store),
        consumer_(consumer),
        deliverer_(deliverer),
        patience_(patience) {}

  Recovered run() {
    std::optional<StateHead> head = read_head(store_);
    deliverer_.start();
    const RecoveryPlan plan = plan_recovery(
        head, committed(head), [this](auto n) { return read_outbox(store_, n); },
        options_.trust_state);
    if (!head) head = begin();
    if (plan.kind == RecoveryPlan::Kind::kResend) resend(plan.from, head->mark.batch);
    if (plan.kind == RecoveryPlan::Kind::kRepair) repair(*head);
    return {*head, plan.target, stored_up_to(head->mark.batch)};
  }

 private:
  std::vector<TopicPartition> assigned() {
    std::map<std::string, std::int32_t> counts;
    patience_.until_done("looking up topics",
                         [&] { counts = consumer_.partition_counts(options_.assignment.topics); });
    return options_.assignment.partitions(counts);
  }

  std::vector<CommittedOffset> committed(const std::optional<StateHead>& head) {
    Positions positions = head ? head->positions : Positions();
    for (TopicPartition& partition : assigned()) {
      if (find(positions, partition) == nullptr) positions.push_back({std::move(partition), 0});
    }
    return read_committed(consumer_, positions, patience_);
  }

  // Batch 0: a committed position exists as soon as state does.
  StateHead begin() {
    DecidedBatch batch;
    for (TopicPartition& partition : assigned()) {
      Watermarks marks;
      patience_.until_done("looking up offsets", [&] { marks = consumer_.watermarks(partition); });
      const bool earliest = options_.start == StartAt::kEarliest;
      batch.stored.to.push_back({std::move(partition), earliest ? marks.low : marks.high});
    }
    batch.stored.after = {state_uuid(store_), 0, Chain().digits(), next_seq()};
    const BatchScope scope(batch.stored);
    patience_.log().debug("batch decided", {{"flags", batch.stored.flags.size()}});
    store(batch.stored);
    deliverer_.deliver(batch);
    return {batch.stored.after, batch.stored.to};
  }

  // A state that was filled from files has given flags before.
  Seq next_seq() {
    const std::string text = store_.meta(kMetaNextSeq).value_or("1");
    Seq seq = 1;
    std::from_chars(text.data(), text.data() + text.size(), seq);
    return seq;
  }

  void store(const StoredBatch& batch) {
    WriteSet writes;
    writes.meta.emplace_back(kMetaLayout, options_.layout);
    writes.meta.emplace_back(kMetaPositions, encode_positions(batch.to));
    writes.meta.emplace_back(kMetaMark, encode_mark(batch.after));
    writes.outbox.emplace_back(batch.after.batch, encode_batch(batch, {}));
    store_.commit(writes);
  }

  void resend(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t number = first; number <= last; ++number) {
      options_.progress(last - first + 1, number - first);
      DecidedBatch batch;
      batch.stored = read_outbox(store_, number).value();
      const BatchScope scope(batch.stored);
      batch.held = read_again(batch.stored, options_.mode, options_.skip_gap, consumer_, patience_);
      deliverer_.deliver(batch);
      patience_.log().info("stored batch sent", {{"flags", batch.stored.flags.size()}});
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

  std::vector<std::uint64_t> stored_up_to(std::uint64_t last) {
    std::vector<std::uint64_t> stored;
    for (std::uint64_t n = last; store_.outbox(n); --n) {
      stored.push_back(n);
      if (n == 0) break;
    }
    std::ranges::reverse(stored);
    return stored;
  }

  const RecoveryOptions& options_;
  Store& store_;
  Consumer& consumer_;
  Deliverer& deliverer_;
  Patience& patience_;
};

}  // namespace

Recovered recover(const RecoveryOptions& options, Store& store, Consumer& consumer,
                  Deliverer& deliverer, Patience& patience) {
  return Recovery(options, store, consumer, deliverer, patience).run();
}

}  // namespace neardup
