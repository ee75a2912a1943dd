// The start procedure: compares the state with Kafka, and sends batches that were stored but not
// delivered. Afterwards both are at the same batch (docs/decisions/0008-serve.md).
//
// One thread, before the pipeline and the delivery thread begin. With exactly_once the first sender
// fences older instances, so that none of them commits later. Each step is durable before the next
// one: batch 0 of a new state is in its outbox before it is delivered, stored batches are delivered
// in order, and a state that moves to another cluster has its new positions only after that cluster
// has them. So a crash at any point leaves a state from which the next start ends at the same
// place.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/deliver/deliverer.h"
#include "service/kafka/read/assignment.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/topic_watch.h"
#include "service/kafka/store/recovery_plan.h"
#include "service/kafka/store/state_head.h"
#include "storage/store.h"

namespace neardup {

struct RecoveryOptions {
  Assignment assignment;
  StartAt start = StartAt::kEarliest;
  OutputMode mode = OutputMode::kFlags;
  std::string layout;                         // layout_text; stored with a new state
  bool order_topic = false;                   // kafka.order_topic is set
  LayoutChange change = LayoutChange::kNone;  // since the state was last used
  bool trust_state = false;
  bool skip_gap = false;
  // Called as stored batches are sent: how many there are to send, and how many are sent.
  std::function<void(std::uint64_t batches, std::uint64_t sent)> progress;
};

struct Recovered {
  StateHead head;
  std::optional<StateHead> replay;      // decide the records up to here again without sending
  OrderFrom order = OrderFrom::kInput;  // of `replay`
  std::vector<std::uint64_t> stored;    // delivered batches that are still in the outbox
};

// Fences older instances and carries out the recovery plan. For a new state, makes and delivers
// batch 0, which holds the positions where reading begins. Afterwards `topics` knows of which
// topics the positions are. Throws TopicMadeAgain without `skip_gap` when one of them is another
// one by now, Failure as plan_recovery, require_replayable and Deliverer do, and Stopped.
Recovered recover(const RecoveryOptions& options, Store& store, Consumer& consumer,
                  Deliverer& deliverer, TopicWatch& topics, RetryPolicy& retry);

}  // namespace neardup
