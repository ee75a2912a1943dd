// Shared by the readers of partitions: requests that are retried until the brokers answer, and the
// handling of read errors.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"
#include "service/log/log.h"

namespace neardup {

// For the RateLimitedLog of a reader.
inline constexpr std::chrono::seconds kBetweenReadErrors{10};

// As the functions of Consumer, retried until the brokers answer. Throw as RetryPolicy::until_done.
Watermarks await_watermarks(const Consumer& consumer, const TopicPartition& partition,
                            RetryPolicy& retry);
std::map<std::string, std::int32_t> await_partition_counts(const Consumer& consumer,
                                                           const std::vector<std::string>& topics,
                                                           RetryPolicy& retry);
std::string await_cluster_id(const Consumer& consumer, RetryPolicy& retry);

// Logs an error that librdkafka retries by itself. `partition` is its name for the log. Throws
// Failure(kConfig) if the error is a denial.
void on_read_error(const std::string& partition, const rd_kafka_message_t& message,
                   RateLimitedLog& errors);

}  // namespace neardup
