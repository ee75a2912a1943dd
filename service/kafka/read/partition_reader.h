// Clients that read partitions from given offsets on: those of an assignment together, or one by
// one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/message/positions.h"

namespace neardup {

// Each assignment has its own client: with a shared one, a late event of an earlier assignment,
// such as the end of a partition, would be taken for one of this assignment, and records would be
// skipped. One thread.
class PartitionReader {
 public:
  PartitionReader(const KafkaOptions& options, ClientEvents& events, const Positions& positions);

  // The next message, end of a partition or error (rd_kafka_message_t::err), or null after
  // `timeout_ms`.
  KafkaMessage poll(int timeout_ms);

 private:
  KafkaHandle client_;
};

// Reads partitions one at a time, in any order that the caller chooses, with a bounded queue for
// each. For one thread, except `last_seen_end`.
class PartitionQueues {
 public:
  // The queues of `partitions` partitions together hold about 128 MiB, and each one fetch response
  // more.
  PartitionQueues(const KafkaOptions& options, ClientEvents& events, std::size_t partitions);
  ~PartitionQueues();
  PartitionQueues(const PartitionQueues&) = delete;
  PartitionQueues& operator=(const PartitionQueues&) = delete;

  // Reads the partition from this offset on, and drops what was fetched of it before.
  void start(const TopicPartition& partition, std::int64_t offset);

  // The next message, end or error of the partition (rd_kafka_message_t::err), or null after
  // `timeout_ms`. Requires: `start` was called for it.
  KafkaMessage poll(const TopicPartition& partition, int timeout_ms);

  // The offset after the last record, committed or not, as of the last fetch; 0 before the first.
  std::int64_t last_seen_end(const TopicPartition& partition) const;

 private:
  using Topic = std::unique_ptr<rd_kafka_topic_t, Destroy<rd_kafka_topic_destroy>>;

  void stop(const TopicPartition& partition);

  KafkaHandle client_;
  std::map<std::string, Topic> topics_;  // destroyed before the client
  std::map<TopicPartition, rd_kafka_topic_t*> started_;
};

}  // namespace neardup
