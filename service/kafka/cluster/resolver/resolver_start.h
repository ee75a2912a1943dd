// Where a resolver begins that leads from now on: at the end of what is decided.
#pragma once

#include <string>

#include "config/config.h"
#include "pipeline/rule/rule.h"
#include "pipeline/shard/merged_resolver.h"
#include "service/cluster/decided.h"
#include "service/cluster/placement.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/resolver/resolved_batch.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/store/recovery_plan.h"

namespace neardup {

struct ResolverStart {
  ClusterHead head;
  Placement placement;  // that holds there
  MergedResolver::Start decisions;
  ResolvedBatches::Start batches;
  std::string log_id;  // of the topic that the committed offset is of; empty: not known
};

// Requires: all earlier leaders are fenced, so that nothing is decided meanwhile. Waits for
// brokers. Throws Failure(kUnavailable) when the topics do not have what is needed any more, or
// when a decider has decided what shards do not know, as require_delivered does, and Stopped.
ResolverStart read_resolver_start(const Config& config, const Rule& rule, const Consumer& consumer,
                                  RetryPolicy& retry);

// One transaction has written the last message of the topic of decisions and the committed offset
// of the log. Throws Failure(kUnavailable) with both when they are not of the same batch: then
// another program has written to one of them, and a resolver that begins at `last` would decide
// records again. `topic`: of the decisions. An offset without a mark says nothing.
void require_delivered(const Decided& last, const CommittedOffset& committed,
                       const std::string& topic);

}  // namespace neardup
