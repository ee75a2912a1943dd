// Reads records of the input partitions one by one, in an order that the caller gives.
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
  // Calls throw Stopped once `ended` is true. The references must outlive this.
  OrderedInput(const Consumer& consumer, std::size_t partitions, RetryPolicy& retry,
               std::function<bool()> ended);

  // Reads the record of this partition and offset. `position`: the previous position of the
  // partition, from which on there must be no other record; kUnknownOffset: not checked. Requires:
  // ascending offsets for each partition. Throws Stopped, and Failure(kUnavailable) with both
  // offsets when the record is missing or another one comes before it.
  KafkaMessage take(const Position& record, std::int64_t position);

  // Throws Failure(kUnavailable) when there is a record in [position, end).
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
  std::map<TopicPartition, KafkaMessage> held_;  // started partitions: a record read ahead, or null
};

}  // namespace neardup
