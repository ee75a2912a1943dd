// Reads back the messages that this service has written to a topic, partition by partition.
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
  // Decodes a message; nothing when it is not of this service.
  using Parse = std::function<std::optional<DeliveredPiece>(const rd_kafka_message_t&)>;

  // Reads each partition from shortly before the first piece with seqs >= `first`. The references
  // must outlive this.
  DeliveredTopic(const Consumer& consumer, const std::string& topic, Seq first, Parse parse,
                 RetryPolicy& retry);

  std::size_t partitions() const { return partitions_.size(); }

  // The next piece of a partition, or nothing at the end that the partition had when reading it
  // began. Throws Failure(kUnavailable), Failure(kConfig) when reading is denied, Stopped.
  std::optional<DeliveredPiece> read(std::size_t partition);

 private:
  struct Partition {
    TopicPartition name;
    bool started = false;
    std::int64_t end = 0;   // the offset to read up to; 0: not known yet
    std::int64_t next = 0;  // the next offset to read
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
