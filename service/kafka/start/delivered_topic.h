// Reads back the messages that this service has written to a topic: partition by partition, and
// merged by the seqs of their records.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/model/types.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

// A message of the output or of the order topic, for the records first … next − 1.
struct DeliveredPiece {
  Seq first = 0;
  Seq next = 0;
  std::string value;     // of the message
  Position source = {};  // the flag's record; only from the output topic
};

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
  std::vector<Partition> partitions_;
  std::unique_ptr<PartitionQueues> queues_;
};

// Merges the pieces of all partitions by seq. Within a partition they are in that order already.
class DeliveredMerge {
 public:
  // Returns the next piece of a partition, or nothing at its end.
  using Read = std::function<std::optional<DeliveredPiece>(std::size_t partition)>;

  // For the records first … last − 1. `topic` is for error messages.
  DeliveredMerge(std::string topic, std::size_t partitions, Seq first, Seq last, Read read);

  // The piece that holds the next record. That record is the first of its piece, except possibly in
  // the first call. Skips earlier pieces, and repeats that a restart with at_least_once has sent.
  // Throws Failure(kUnavailable) with both numbers when no partition has the record, or when two
  // pieces of one seq differ.
  DeliveredPiece next();

 private:
  bool holds_next(const DeliveredPiece& piece) const {
    return piece.first <= next_ && next_ < piece.next;
  }
  bool read_heads();
  std::optional<DeliveredPiece> read_new(std::size_t partition);
  void require_repeat(const DeliveredPiece& piece) const;
  void remember(const DeliveredPiece& piece);
  [[noreturn]] void refuse_gap() const;

  struct Seen {
    Seq first = 0;
    std::uint64_t hash = 0;
  };

  const std::string topic_;
  const Seq first_;
  const Seq last_;
  const Read read_;
  Seq next_;
  std::vector<std::optional<DeliveredPiece>> heads_;
  std::vector<bool> ended_;
  std::vector<Seen> seen_;  // the latest pieces, at first % size
};

}  // namespace neardup
