// A state that a cluster is made from.
#pragma once

#include <string>

#include "pipeline/rule/rule.h"
#include "service/cluster/decided.h"
#include "service/kafka/message/positions.h"
#include "storage/store.h"

namespace neardup {

// Where a new cluster begins.
struct ClusterBegin {
  std::string uuid;
  Decided first;
};

// Of a cluster that begins with the state, at `log` in its log. A state that is a decider's at that
// log already, as after an interrupted init, keeps its cluster and its place, unless `log_id`, of
// the topic of the log, says that the log was made again. `kafka_cluster`: the id of the Kafka
// cluster. Throws Failure(kConfig) when the state has another rule or is of another Kafka cluster
// or of requests, Failure(kUnavailable) when flags of it may not be delivered, and Failure(kIo) for
// a damaged one.
ClusterBegin begin_with_state(Store& store, const Rule& rule, const Position& log,
                              const std::string& kafka_cluster, const std::string& log_id);

// Makes the state that of a decider which has decided up to where the cluster begins. `layout`:
// that of deciders (state_head.h).
void make_decider_state(Store& store, const ClusterBegin& begin, const Position& log,
                        const std::string& layout);

}  // namespace neardup
