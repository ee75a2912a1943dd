// Reads partitions of topics from one offset to another: what every reader but the service's own
// source (kafka_source.h) does, which only decodes the messages.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "service/kafka/client/handles.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/partition_reader.h"
#include "service/log/log.h"

namespace neardup {

// Logs errors that librdkafka retries, and throws Failure(kConfig) for a denial. Messages must not
// outlive it: closing its client waits for them. One thread.
class TopicScan {
 public:
  // `log` must outlive this.
  TopicScan(std::unique_ptr<PartitionReader> reader, Log& log);

  // The next event (event_of) of any partition; null if none comes in time.
  KafkaMessage poll(std::chrono::milliseconds wait);
  // The next event, however long it takes. Throws Stopped.
  KafkaMessage await(RetryPolicy& retry);

  // Of a partition none of whose messages may be missing: the next one; null if none comes in time.
  // Throws Failure(kUnavailable) when messages are gone that were not read yet.
  KafkaMessage next(std::chrono::milliseconds wait);
  // The same, however long it takes; null: the partition has none below `to`, or ends before it.
  // Throws Stopped, too.
  KafkaMessage next_below(std::int64_t to, RetryPolicy& retry);

 private:
  const std::unique_ptr<PartitionReader> reader_;
  RateLimitedLog errors_;
};

}  // namespace neardup
