// What the state holds against what Kafka has committed, and what follows from both (design:
// exactly once). No Kafka in here: reading and doing is for service/kafka/recovery.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/store/stored_batch.h"

namespace neardup {

// The last batch of a state.
struct StateHead {
  CommitMetadata mark;
  Positions positions;
};

// What a consumer group has committed for one partition.
struct CommittedOffset {
  TopicPartition partition;
  std::optional<std::int64_t> offset;
  std::string metadata;
};

struct RecoveryPlan {
  enum class Kind : std::uint8_t {
    kBegin,    // neither side has anything: make batch 0
    kInStep,   // both sides are at the same batch
    kResend,   // deliver the stored batches from `from` to the state's head, in order
    kRepair,   // commit the head's positions again, then go on
    kReplay,   // the state is older than what was delivered: decide again up to `target`
    kRebuild,  // the same, from the first record on: the state is lost
  };
  Kind kind = Kind::kInStep;
  std::uint64_t from = 0;           // kResend
  std::optional<StateHead> target;  // kReplay, kRebuild: mark and positions as committed
};

// Where the order of the records is read that are decided again.
enum class OrderFrom : std::uint8_t {
  kInput,       // the only partition has one order; the chain proves the flags
  kOutput,      // the output topic of mode flags, which has the flags too
  kOrderTopic,  // kafka.order_topic, which has the chain behind each batch
};

// Of the records behind `head`, nothing for a lost state, up to `target`. `order_topic`: there is
// one. Throws Failure(kUnavailable) when nothing tells the order.
OrderFrom order_from(const std::optional<StateHead>& head, const StateHead& target, OutputMode mode,
                     bool order_topic);

// A batch of the outbox by its number, or nothing.
using OutboxReader = std::function<std::optional<StoredBatch>(std::uint64_t batch)>;

// `head`: nothing for a new state. `committed`: one entry for each partition assigned to this
// instance or known to the state. `trust_state`: a person has looked, and says that the state is
// right where Kafka's offsets are missing or not ours. Throws Failure(kUnavailable) that shows both
// sides when they disagree.
RecoveryPlan plan_recovery(const std::optional<StateHead>& head,
                           const std::vector<CommittedOffset>& committed,
                           const OutboxReader& outbox, bool trust_state);

}  // namespace neardup
