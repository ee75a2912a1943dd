// What readers of partitions share: questions that are asked until brokers answer, and what becomes
// of errors that stand where records should.
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

// As the calls of Consumer, until brokers answer. They throw what RetryPolicy does.
Watermarks await_watermarks(const Consumer& consumer, const TopicPartition& partition,
                            RetryPolicy& retry);
std::map<std::string, std::int32_t> await_partition_counts(const Consumer& consumer,
                                                           const std::vector<std::string>& topics,
                                                           RetryPolicy& retry);

// For an error that librdkafka gets over by itself: writes a line. `partition` is for people.
// Throws Failure(kConfig) when it is a refusal.
void on_read_error(const std::string& partition, const rd_kafka_message_t& message,
                   RateLimitedLog& errors);

}  // namespace neardup
