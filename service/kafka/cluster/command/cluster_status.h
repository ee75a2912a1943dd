// The status of a cluster, as `neardup cluster status` shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/rule/rule.h"
#include "service/cluster/placement.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/command/cluster_client.h"
#include "service/kafka/cluster/command/cluster_place.h"
#include "service/kafka/message/positions.h"

namespace neardup {

struct ClusterStatus {
  // What of the log is not decided yet.
  struct Waiting {
    std::uint64_t messages = 0;
    std::uint64_t records = 0;
    std::uint64_t bytes = 0;
    bool estimated = false;  // records and bytes: only the first messages were read
  };
  struct Source {
    TopicPartition partition;
    std::optional<std::int64_t> accepted;   // behind the last record that counts
    std::optional<std::int64_t> committed;  // by the group of sketchers
    std::optional<std::int64_t> end;
  };
  struct Members {
    std::size_t count = 0;
    std::optional<std::string> leader;  // the host that has the lease
  };
  ClusterHead head;
  Watermarks log;
  Waiting waiting;
  std::uint64_t epoch = 0;             // of the placement that holds; 0: none yet
  std::optional<Placement> placement;  // nothing: none, or the log no longer has it
  ShardReports shards;                 // empty: there are none, or reading answers is not permitted
  std::vector<Source> sources;
  std::optional<std::string> group;  // of sketchers; nothing: not in the configuration
  Members sketchers;
  Members deciders;
};

// Throws as read_cluster_head and scan_log do.
ClusterStatus read_cluster_status(ClusterClient& client, const Rule& rule);

}  // namespace neardup
