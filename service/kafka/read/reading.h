// Requests of readers that are retried until the brokers answer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

// As the functions of Consumer, retried until the brokers answer. Throw as RetryPolicy::until_done.
Watermarks await_watermarks(const Consumer& consumer, const TopicPartition& partition,
                            RetryPolicy& retry);
std::map<std::string, std::int32_t> await_partition_counts(const Consumer& consumer,
                                                           const std::vector<std::string>& topics,
                                                           RetryPolicy& retry);
std::string await_cluster_id(const Consumer& consumer, RetryPolicy& retry);

}  // namespace neardup
