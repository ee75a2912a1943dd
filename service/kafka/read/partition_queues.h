// Reads partitions one at a time, in whatever order the caller asks, with a bounded queue for each.
// One thread, but for `last_seen_end`.
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

class PartitionQueues {
 public:
  // Together the queues of `partitions` partitions hold about 128 MiB, each one answer of a broker
  // more.
  PartitionQueues(const KafkaOptions& options, ClientEvents& events, std::size_t partitions);
  ~PartitionQueues();
  PartitionQueues(const PartitionQueues&) = delete;
  PartitionQueues& operator=(const PartitionQueues&) = delete;

  // Reads the partition from this offset on; what was fetched of it before is dropped.
  void start(const TopicPartition& partition, std::int64_t offset);

  // The next message of the partition, its end or an error (rd_kafka_message_t::err), or null after
  // `timeout_ms`. Requires: started.
  KafkaMessage poll(const TopicPartition& partition, int timeout_ms);

  // After the last record, committed or not, as of the last fetch; 0 before it.
  std::int64_t last_seen_end(const TopicPartition& partition) const;

 private:
  using Topic = std::unique_ptr<rd_kafka_topic_t, Destroy<rd_kafka_topic_destroy>>;

  void stop(const TopicPartition& partition);

  KafkaHandle client_;
  std::map<std::string, Topic> topics_;  // gone before the client
  std::map<TopicPartition, rd_kafka_topic_t*> started_;
};

}  // namespace neardup
