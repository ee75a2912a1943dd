// The checks of a cluster's topics before a process of it starts.
#pragma once

#include <cstdint>

#include "config/config.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/cluster_topics.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

struct ClusterTopicLimits {
  std::uint64_t log_message_bytes = 0;  // max.message.bytes of the log
};

// Waits for brokers. Creates missing topics first if `create`. Warnings go to the log. Throws
// Failure(kConfig) that names everything missing or wrong, Stopped.
ClusterTopicLimits check_cluster(const Config& config, ClusterUse use, bool create,
                                 const Consumer& consumer, RetryPolicy& retry);

}  // namespace neardup
