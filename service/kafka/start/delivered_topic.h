// The messages that this service has written to a topic, partition by partition.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/store/delivered.h"

namespace neardup {

class DeliveredTopic {
 public:
  // What a message says, or nothing when it is not of this service.
  using Parse = std::function<std::optional<DeliveredPiece>(const rd_kafka_message_t&)>;

  // Reads each partition from about where records from `first` on begin. The references must
  // outlive this.
  DeliveredTopic(const Consumer& consumer, const std::string& topic, Seq first, Parse parse,
                 RetryPolicy& retry);

  std::size_t partitions() const { return partitions_.size(); }

  // The next piece of a partition. Nothing: it has no more up to where it ended when it was first
  // read. Throws Failure(kUnavailable), Stopped.
  std::optional<DeliveredPiece> read(std::size_t partition);

 private:
  struct Partition {
    TopicPartition name;
    bool started = false;
    std::int64_t end = 0;   // of what is to be read, 0: not known yet
    std::int64_t next = 0;  // what is before was read
  };

  void start(Partition& partition);
  void start_at(Partition& partition, std::int64_t offset);

  const Consumer& consumer_;
  const Seq first_;
  const Parse parse_;
  RetryPolicy& retry_;
  RateLimitedLog errors_;
  std::vector<Partition> partitions_;
  std::unique_ptr<PartitionQueues> queues_;
};

}  // namespace neardup
