// The start of a shard: where its state stands, or begins.
#pragma once

#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/shard/shard_state.h"
#include "service/serve/service_runner.h"

namespace neardup {

// The state is the runner's. A new one begins at the last decided record where the placement there
// does not name its shard, and else, since documents of it must be there, with the first record of
// the cluster. A state that the cluster was made from, or a decider's, becomes shard 0. Throws as
// read_shard_place and require_adoptable do, Failure(kUnavailable) with both offsets when the log
// or the topic of decisions no longer has what follows, and Stopped.
ShardPlace open_shard_state(const ShardIdentity& identity, const ClusterHead& head,
                            ServiceRunner& runner);

}  // namespace neardup
