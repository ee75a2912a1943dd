// Reads the records of input partitions in an order that is given, one by one.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>

#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

class OrderedInput {
 public:
  // `ended`: nothing more is wanted. The references must outlive this.
  OrderedInput(const Consumer& consumer, std::size_t partitions, RetryPolicy& retry,
               std::function<bool()> ended);

  // The record of this partition and offset. `position`: nothing from there to it may be a record,
  // or kUnknown. Requires: offsets of a partition rise. Throws Failure(kUnavailable) with both
  // numbers when it is gone or another one stands before it, Stopped.
  KafkaMessage take(const Position& record, std::int64_t position);

  // Throws Failure(kUnavailable) when there is a record between `position` and `end`.
  void require_none(const Position& end, std::int64_t position);

 private:
  KafkaMessage next(const TopicPartition& partition, std::int64_t upto);
  void start(const Position& record, std::int64_t position);
  std::int64_t require_kept(const Position& record);

  const Consumer& consumer_;
  RetryPolicy& retry_;
  RateLimitedLog errors_;
  const std::function<bool()> ended_;
  std::unique_ptr<PartitionQueues> queues_;
  std::map<TopicPartition, KafkaMessage> held_;  // started; read ahead, or null
};

}  // namespace neardup
