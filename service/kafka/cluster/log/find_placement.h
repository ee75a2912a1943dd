// The placement of a place in the log: batches that were decided from answers of shards carry it.
// Where only its epoch is known, it is looked up in the log.
#pragma once

#include <cstdint>
#include <optional>

#include "config/service_options.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/placement.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

// Placement `epoch`, under which something is decided. Nothing: the log or the topic of decisions
// does not reach back to it. Waits for brokers. Throws Stopped.
std::optional<Placement> find_placement(const Consumer& consumer, const ClusterOptions& options,
                                        const ClusterHead& head, std::uint64_t epoch,
                                        const Rule& rule, RetryPolicy& retry);

// The one that holds at `decided`. Throws Failure(kUnavailable) when it cannot be found any more.
Placement placement_at(const Consumer& consumer, const ClusterOptions& options,
                       const ClusterHead& head, const Decided& decided, const Rule& rule,
                       RetryPolicy& retry);

}  // namespace neardup
