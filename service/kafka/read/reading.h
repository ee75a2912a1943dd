// What readers of topics use, and their requests, retried until the brokers answer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "metrics/kafka_probe.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"
#include "service/monitor/watchdog.h"

namespace neardup {

// What a reader of topics uses of its process. All of it must outlive the reader.
struct ReadContext {
  const Consumer& consumer;
  RetryPolicy& retry;
  StageWatch& watch;
  KafkaProbe& probe;
};

// As the functions of Consumer, retried until the brokers answer. Throw as RetryPolicy::until_done.
Watermarks await_watermarks(const Consumer& consumer, const TopicPartition& partition,
                            RetryPolicy& retry);
std::map<std::string, std::int32_t> await_partition_counts(const Consumer& consumer,
                                                           const std::vector<std::string>& topics,
                                                           RetryPolicy& retry);
std::string await_cluster_id(const Consumer& consumer, RetryPolicy& retry);

}  // namespace neardup
