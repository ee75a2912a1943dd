// The start of a shard: where its state stands, or begins.
#pragma once

#include "config/service_options.h"
#include "pipeline/rule/rule.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/shard/shard_state.h"
#include "service/kafka/read/consumer.h"
#include "storage/store.h"

namespace neardup {

// A new state begins at the last decided record where the placement there does not name its shard,
// and else, since documents of it must be there, with the first record of the cluster. A state that
// the cluster was made from, or a decider's, becomes shard 0. Throws as read_shard_place and
// require_adoptable do, Failure(kUnavailable) with both offsets when the log or the topic of
// decisions no longer has what follows, and Stopped.
ShardPlace open_shard_state(const ShardIdentity& identity, const Rule& rule, Store& store,
                            const ClusterHead& head, const ClusterOptions& options,
                            const Consumer& consumer, RetryPolicy& retry);

}  // namespace neardup
