// The start procedure: what state and Kafka hold is compared, what was stored and not delivered is
// sent, and both stand at the same batch afterwards (design: exactly once).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/deliver/deliverer.h"
#include "service/kafka/read/assignment.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/store/recovery_plan.h"
#include "service/kafka/store/state_head.h"
#include "storage/store.h"

namespace neardup {

struct RecoveryOptions {
  Assignment assignment;
  StartAt start = StartAt::kEarliest;
  OutputMode mode = OutputMode::kFlags;
  std::string layout;                         // layout_text; stored with a new state
  bool order_topic = false;                   // there is one
  LayoutChange change = LayoutChange::kNone;  // since the state was last used
  bool trust_state = false;
  bool skip_gap = false;
  // Told of the stored batches that are to be sent, and how many of them are.
  std::function<void(std::uint64_t batches, std::uint64_t sent)> progress;
};

struct Recovered {
  StateHead head;
  std::optional<StateHead> replay;      // decide again up to here, without sending
  OrderFrom order = OrderFrom::kInput;  // of `replay`
  std::vector<std::uint64_t> stored;    // delivered batches that are still in the outbox
};

// Fences older instances, repairs, and for a new state makes and delivers batch 0, which holds the
// positions where reading begins. Throws Failure as plan_recovery
// and Deliverer do, and Stopped.
Recovered recover(const RecoveryOptions& options, Store& store, Consumer& consumer,
                  Deliverer& deliverer, RetryPolicy& retry);

}  // namespace neardup
