// How far the shards of a cluster are, as their answers say it: a shard that has nothing to answer
// writes an empty one each second.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pipeline/model/types.h"
#include "pipeline/rule/rule.h"
#include "service/kafka/cluster/command/cluster_client.h"

namespace neardup {

struct ShardReport {
  Seq as_of = 0;                // the last record whose decision it has applied
  std::int64_t written_ms = 0;  // milliseconds since 1970
};
using ShardReports = std::map<std::uint32_t, ShardReport>;  // by the number of the shard

// The newest of each shard. Left out are those without one, and those whose partition of the topic
// of answers cannot be read in a few seconds. `cluster`: its uuid. Throws Stopped.
ShardReports last_reports(ClusterClient& client, const Rule& rule, const std::string& cluster);

// Waits until each of `shards` has written another answer, as of `seq` or later. Returns those that
// have not in time. Throws as last_reports.
std::vector<std::uint32_t> await_reports(ClusterClient& client, const Rule& rule,
                                         const std::string& cluster,
                                         const std::vector<std::uint32_t>& shards, Seq seq,
                                         std::chrono::seconds time);

}  // namespace neardup
