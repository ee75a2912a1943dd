// Creates a cluster: its topics, and the first message of the topic of decisions.
#pragma once

#include <optional>
#include <string>

#include "pipeline/rule/rule.h"
#include "service/cluster/decided.h"
#include "service/kafka/cluster/command/cluster_client.h"

namespace neardup {

struct NewCluster {
  std::string uuid;
  Decided first;
};

// `state`: the directory of a state that the cluster continues, which becomes that of a decider;
// nothing: the cluster begins with no documents. Can be repeated after a crash. Throws
// Failure(kConfig) when topics or the state cannot be used, Failure(kUnavailable) when there is
// such a cluster already or the state has flags that are not delivered, and Stopped.
NewCluster init_cluster(ClusterClient& client, const Rule& rule,
                        const std::optional<std::string>& state);

}  // namespace neardup
