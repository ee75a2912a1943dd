// Compares the state with the offsets committed in Kafka, and plans what a start has to do. No
// Kafka in here: service/kafka/start/recovery reads the offsets and carries out the plan.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/topic_ids.h"
#include "service/kafka/store/stored_batch.h"

namespace neardup {

// The last batch of a state.
struct StateHead {
  CommitMetadata mark;
  Positions positions;
  TopicIds ids = {};  // of the topics, as far as they are known
};

// The committed offset of a consumer group for one partition.
struct CommittedOffset {
  TopicPartition partition;
  std::optional<std::int64_t> offset;
  std::string metadata;
};

struct RecoveryPlan {
  enum class Kind : std::uint8_t {
    kBegin,    // state and group are new: make batch 0
    kInStep,   // both sides are at the same batch
    kResend,   // deliver the stored batches from `from` to the state's head, in order
    kRepair,   // commit the head's positions again, then continue
    kReplay,   // the state is older than the committed offsets: decide again up to `target`
    kRebuild,  // the state is lost: as kReplay, from the first record on
  };
  Kind kind = Kind::kInStep;
  std::uint64_t from = 0;           // kResend
  std::optional<StateHead> target;  // kReplay, kRebuild: mark and positions as committed
};

// Where a replay gets the order of the records from.
enum class OrderFrom : std::uint8_t {
  kInput,       // a single partition: its own order; the chain at the end proves the flags
  kOutput,      // the output topic of mode flags, which has the flags too
  kOrderTopic,  // kafka.order_topic, which has the chain after each batch
};

// For a replay from `head` (nothing: the state is lost) up to `target`. `order_topic`: one is set.
// Throws Failure(kUnavailable) when the order is not known from any of these.
OrderFrom order_from(const std::optional<StateHead>& head, const StateHead& target, OutputMode mode,
                     bool order_topic);

// A batch of the outbox by its number, or nothing.
using OutboxReader = std::function<std::optional<StoredBatch>(std::uint64_t batch)>;

// `head`: nothing for a new state. `committed`: one entry for each partition assigned to this
// instance or known to the state. `trust_state` (--trust-state): the user confirms that the state
// is right where committed offsets are missing or not of this service. Throws Failure(kUnavailable)
// that shows both sides when they disagree.
RecoveryPlan plan_recovery(const std::optional<StateHead>& head,
                           const std::vector<CommittedOffset>& committed,
                           const OutboxReader& outbox, bool trust_state);

}  // namespace neardup
