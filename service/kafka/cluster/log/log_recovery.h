// The start procedure of a decider: compares the state with what is committed for the log, and
// delivers what was decided and not delivered. Afterwards both are at the same place.
//
// Deciders take turns, and each ends its batches elsewhere, but all decide the records of the log
// alike. So a state is compared by its place in the log and its chain, not by the number of its
// last batch as in service/kafka/start/recovery.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "service/cluster/decided.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/deliver/deliverer.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/start/recovery.h"
#include "storage/store.h"

namespace neardup {

struct LogRecoveryOptions {
  TopicPartition log;   // its only partition
  std::string cluster;  // uuid
  Decided begin;        // the first of the cluster: where a new state begins
  std::string layout;   // layout_text; stored with a new state
  bool trust_state = false;
};

// The head of the state, which is made if it is new. Throws Failure(kConfig) when the state holds
// documents that are not of this cluster.
StateHead open_log_state(const LogRecoveryOptions& options, Store& store);

// How far the log was read for the state.
LogState read_log_state(Store& store);

// Throws Failure(kUnavailable) with both offsets when the log no longer has what follows `head`.
void require_log(const TopicPartition& log, const StateHead& head, const Consumer& consumer,
                 RetryPolicy& retry);

// Fences other deciders. Throws Failure(kUnavailable) that shows both sides when they disagree, as
// Deliverer does, and Stopped.
Recovered recover_log(const LogRecoveryOptions& options, Store& store, Consumer& consumer,
                      Deliverer& deliverer, TopicWatch& topics, RetryPolicy& retry);

}  // namespace neardup
