// The shards of a cluster: how far they are, as their answers say it, which of them answer and take
// new documents, and a change of that.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/model/types.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/placement.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/command/cluster_client.h"
#include "service/kafka/cluster/log/log_reader.h"

namespace neardup {

// A shard that has nothing to answer writes an empty answer each second.
struct ShardReport {
  Seq as_of = 0;                // the last record whose decision it has applied
  std::int64_t written_ms = 0;  // milliseconds since 1970
};
using ShardReports = std::map<std::uint32_t, ShardReport>;  // by the number of the shard

// The newest of each shard. Left out are those without one, and those whose partition of the topic
// of answers cannot be read in a few seconds. `cluster`: its uuid. Throws Stopped.
ShardReports last_reports(ClusterClient& client, const Rule& rule, const std::string& cluster);

// The placement that holds behind `ahead`, the part of the log behind the last decided batch.
// Nothing: none yet, or the log does not reach back to it.
std::optional<Placement> placement_in_force(ClusterClient& client, const ClusterHead& head,
                                            const LogPart& ahead, const Rule& rule);

struct PlacementChange {
  std::vector<std::uint32_t> active;
  // Nothing: the current ones, and the active ones.
  std::optional<std::vector<std::uint32_t>> answering;
  // For answers of the newly answering shards. 0: do not wait.
  std::chrono::seconds wait{60};
};

struct Placed {
  Placement placement;
  Seq from = 0;  // the seq from which it holds
};

// Appends the placement that follows the one that holds, once the shards that answer from then on
// have applied all that is decided now. Throws Failure(kUnavailable) when one of them does not show
// that in time, or another placement was first, Failure(kUsage) for shards that cannot be, or when
// it cannot be known which shards answer, and Stopped.
Placed place(ClusterClient& client, const Rule& rule, const PlacementChange& change);

}  // namespace neardup
