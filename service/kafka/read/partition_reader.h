// Clients that read partitions from given offsets on: those of an assignment together, or one by
// one.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/message/positions.h"
#include "service/log/log.h"

namespace neardup {

// For the RateLimitedLog of a reader.
inline constexpr std::chrono::seconds kBetweenReadErrors{10};

// Logs an error that librdkafka retries by itself. Throws Failure(kConfig) if it is a denial.
void on_read_error(const rd_kafka_message_t& message, RateLimitedLog& errors);

// An event is a message, the end of a partition (err: _PARTITION_EOF), or a refused offset
// (_AUTO_OFFSET_RESET): what would be read next is gone, and no more is fetched of the partition.
// Returns `message` if it is one. Null for errors, which go to on_read_error, and for null.
KafkaMessage event_of(KafkaMessage message, RateLimitedLog& errors);

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
  // more. `log` must outlive this.
  PartitionQueues(const KafkaOptions& options, ClientEvents& events, std::size_t partitions,
                  Log& log);
  ~PartitionQueues();
  PartitionQueues(const PartitionQueues&) = delete;
  PartitionQueues& operator=(const PartitionQueues&) = delete;

  // Reads the partition from this offset on, and drops what was fetched of it before.
  void start(const TopicPartition& partition, std::int64_t offset);

  // The next event of the partition. Requires: `start` was called for it. Throws Stopped, and as
  // on_read_error does.
  KafkaMessage await(const TopicPartition& partition, RetryPolicy& retry);

  // The offset after the last record, committed or not, as of the last fetch; 0 before the first.
  std::int64_t last_seen_end(const TopicPartition& partition) const;

 private:
  using Topic = std::unique_ptr<rd_kafka_topic_t, Destroy<rd_kafka_topic_destroy>>;

  void stop(const TopicPartition& partition);
  KafkaMessage poll(const TopicPartition& partition);

  KafkaHandle client_;
  std::map<std::string, Topic> topics_;  // destroyed before the client
  std::map<TopicPartition, rd_kafka_topic_t*> started_;
  RateLimitedLog errors_;
};

}  // namespace neardup
