#include "service/kafka/store/recovery_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

using Kind = RecoveryPlan::Kind;

std::string shown(const CommittedOffset& committed) {
  if (!committed.offset) return fmt::format("{}: nothing", to_text(committed.partition));
  return fmt::format("{}: offset {}, \"{}\"", to_text(committed.partition), *committed.offset,
                     committed.metadata);
}

std::string both_sides(const std::optional<StateHead>& head,
                       const std::vector<CommittedOffset>& committed) {
  std::string text = "\n  state:";
  if (!head) {
    text += " new and empty";
  } else {
    text += fmt::format(" {}", encode_mark(head->mark));
    for (const Position& position : head->positions) {
      text += fmt::format("\n    {}: offset {}", to_text(position.partition), position.offset);
    }
  }
  text += "\n  committed in Kafka:";
  for (const CommittedOffset& one : committed) text += "\n    " + shown(one);
  return text;
}

// True for a state whose rebuild has not yet read a record of each partition.
bool misses_positions(const StateHead& head) {
  return std::ranges::any_of(
      head.positions, [](const Position& position) { return position.offset == kUnknownOffset; });
}

class Planner {
 public:
  Planner(const std::optional<StateHead>& head, const std::vector<CommittedOffset>& committed,
          const OutboxReader& outbox, bool trust_state)
      : head_(head), committed_(committed), outbox_(outbox), trust_state_(trust_state) {}

  RecoveryPlan run() const {
    const bool none =
        std::ranges::none_of(committed_, [](const auto& c) { return c.offset.has_value(); });
    if (!head_ && none) return {Kind::kBegin, 0, {}};
    if (none && head_->mark.batch == 0 && outbox_(0)) return {Kind::kResend, 0, {}};
    const std::optional<CommitMetadata> mark = common_mark();
    if (!head_) return mark ? rebuild(*mark) : refuse_lost_state();
    if (!mark) {
      if (trust_state_) return repair();
      refuse(none ? "the committed offsets of the group are gone (expired, deleted, or the group "
                    "was renamed)"
                  : "the committed offsets were not all written by this service at the same batch "
                    "(was the group reset, or used by another program?)",
             "If the state is right, start once with --trust-state: it commits the positions of "
             "the state again and sends its undelivered batches, of which some may be repeated.");
    }
    if (mark->state != head_->mark.state) {
      refuse("the committed offsets belong to another state",
             "Use the state directory with that uuid, or another kafka.group_id.");
    }
    return compare(*mark);
  }

 private:
  [[noreturn]] void refuse(std::string_view what, std::string_view remedy) const {
    throw Failure(Exit::kUnavailable, fmt::format("state and Kafka disagree: {}.{}\n{}", what,
                                                  both_sides(head_, committed_), remedy));
  }

  [[noreturn]] RecoveryPlan refuse_lost_state() const {
    refuse(
        "the group has committed offsets that are not all of one service at the same batch, and "
        "the state is empty (was its directory lost?)",
        "Restore the state; or, to build a new one from the whole input, use another "
        "kafka.group_id or delete the group's offsets, and use a separate output topic.");
  }

  // The mark in the metadata of all committed offsets, or nothing if they differ or are not marks.
  std::optional<CommitMetadata> common_mark() const {
    std::optional<CommitMetadata> common;
    for (const CommittedOffset& one : committed_) {
      if (!one.offset) continue;
      const std::optional<CommitMetadata> mark = decode_mark(one.metadata);
      if (!mark || (common && *common != *mark)) return {};
      common = mark;
    }
    return common;
  }

  // Are exactly `positions` committed?
  bool at(const Positions& positions) const {
    std::size_t found = 0;
    for (const CommittedOffset& one : committed_) {
      if (!one.offset) continue;
      const Position* position = find(positions, one.partition);
      if (position == nullptr || position->offset != *one.offset) return false;
      ++found;
    }
    return found == positions.size();
  }

  RecoveryPlan compare(const CommitMetadata& mark) const {
    if (mark.batch > head_->mark.batch) return replay(mark);
    if (mark.batch == head_->mark.batch) {
      if (mark != head_->mark) refuse_other_history();
      if (at(head_->positions)) return {Kind::kInStep, 0, {}};
      require_trust_in_mark();
      return {Kind::kRepair, 0, {}};
    }
    const std::optional<StoredBatch> next = outbox_(mark.batch + 1);
    if (next && next->before != mark) refuse_other_history();
    if (const std::optional<std::uint64_t> missing = missing_after(mark)) {
      if (trust_state_) return repair();
      refuse(fmt::format("batch {} is not delivered and no longer stored", *missing),
             "The group's offsets were set back. If the state is right, start once with "
             "--trust-state.");
    }
    if (!at(next->from)) require_trust_in_mark();
    return {Kind::kResend, mark.batch + 1, {}};
  }

  // Throws unless --trust-state is set: the mark is known, but the committed offsets are not those
  // of its batch.
  void require_trust_in_mark() const {
    if (trust_state_) return;
    refuse("some committed offsets are gone, or were changed after this service wrote them",
           "If the state is right, start once with --trust-state: it commits the positions of the "
           "state again.");
  }

  [[noreturn]] void refuse_other_history() const {
    refuse("both are of the same state, but not of the same history (two copies of it were used)",
           "Keep the copy whose last batch is the committed one, and remove the other.");
  }

  // The first batch after `mark` that is not in the outbox.
  std::optional<std::uint64_t> missing_after(const CommitMetadata& mark) const {
    for (std::uint64_t number = mark.batch + 1; number <= head_->mark.batch; ++number) {
      if (!outbox_(number)) return number;
    }
    return {};
  }

  // The state is an older copy, which has to decide again what was delivered since.
  RecoveryPlan replay(const CommitMetadata& mark) const {
    if (mark.next_seq < head_->mark.next_seq) refuse_other_history();
    for (const Position& position : head_->positions) {
      const auto one =
          std::ranges::find(committed_, position.partition, &CommittedOffset::partition);
      if (one == committed_.end() || !one->offset) {
        refuse(fmt::format("the state is older than what was delivered, and the offset of {} is "
                           "gone",
                           to_text(position.partition)),
               "Restore a newer copy of the state.");
      }
      if (*one->offset < position.offset) refuse_other_history();
    }
    return {Kind::kReplay, 0, StateHead{mark, committed_positions()}};
  }

  RecoveryPlan rebuild(const CommitMetadata& mark) const {
    return {Kind::kRebuild, 0, StateHead{mark, committed_positions()}};
  }

  Positions committed_positions() const {
    Positions positions;
    for (const CommittedOffset& one : committed_) {
      if (one.offset) positions.push_back({one.partition, *one.offset});
    }
    return positions;
  }

  RecoveryPlan repair() const {
    if (misses_positions(*head_)) {
      refuse("the state was being rebuilt up to the committed offsets, and they are gone",
             "Build a new state with another kafka.group_id and a separate output topic.");
    }
    std::uint64_t first = head_->mark.batch + 1;
    while (first > 0 && outbox_(first - 1)) --first;
    if (first > head_->mark.batch) return {Kind::kRepair, 0, {}};
    return {Kind::kResend, first, {}};
  }

  const std::optional<StateHead>& head_;
  const std::vector<CommittedOffset>& committed_;
  const OutboxReader& outbox_;
  const bool trust_state_;
};

}  // namespace

OrderFrom order_from(const std::optional<StateHead>& head, const StateHead& target, OutputMode mode,
                     bool order_topic) {
  const bool lost = !head || misses_positions(*head);
  const bool one = target.positions.size() == 1;
  if (one && !lost) return OrderFrom::kInput;
  if (order_topic) return OrderFrom::kOrderTopic;
  if (mode == OutputMode::kFlags) return OrderFrom::kOutput;
  if (one) return OrderFrom::kInput;
  throw Failure(
      Exit::kUnavailable,
      fmt::format(
          "the state {}, and {} records of {} partitions were delivered up to batch {}: their "
          "order is not known, since output.mode is not flags and kafka.order_topic is not "
          "set.\nRestore a copy of the state of that batch; or build a new one from the input with "
          "another kafka.group_id, a separate output topic and kafka.order_topic.",
          lost ? "is empty (was its directory lost?)"
               : fmt::format("is at seq {}", head->mark.next_seq - 1),
          target.mark.next_seq - 1, target.positions.size(), target.mark.batch));
}

RecoveryPlan plan_recovery(const std::optional<StateHead>& head,
                           const std::vector<CommittedOffset>& committed,
                           const OutboxReader& outbox, bool trust_state) {
  return Planner(head, committed, outbox, trust_state).run();
}

}  // namespace neardup
