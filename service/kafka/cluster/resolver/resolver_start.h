// Where a resolver begins that leads from now on: at the end of what is decided.
#pragma once

#include "config/config.h"
#include "pipeline/rule/rule.h"
#include "pipeline/shard/merged_resolver.h"
#include "service/cluster/placement.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/resolver/resolved_batch.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

struct ResolverStart {
  ClusterHead head;
  Placement placement;  // that holds there
  MergedResolver::Start decisions;
  ResolvedBatches::Start batches;
};

// Requires: all earlier leaders are fenced, so that nothing is decided meanwhile. Waits for
// brokers. Throws Failure(kUnavailable) when the topics do not have what is needed any more, or
// when a decider has decided what shards do not know, and Stopped.
ResolverStart read_resolver_start(const Config& config, const Rule& rule, const Consumer& consumer,
                                  RetryPolicy& retry);

}  // namespace neardup
