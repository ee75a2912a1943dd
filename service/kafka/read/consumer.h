// Requests to Kafka as the consumer group (committed offsets, end offsets, partitions), and readers
// of partitions. Never joins the group or rebalances, and sees committed records only. Errors are
// KafkaErrors. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/read/partition_list.h"
#include "service/kafka/read/partition_reader.h"
#include "service/kafka/store/recovery_plan.h"

namespace neardup {

struct Watermarks {
  std::int64_t low = 0;   // offset of the oldest record
  std::int64_t high = 0;  // after the last committed one
};

struct TopicSize {
  std::int32_t partitions = 0;  // 0: there is no such topic
  std::int32_t replicas = 0;    // the fewest of a partition
};

class Consumer {
 public:
  // Both must outlive this and its readers.
  Consumer(const KafkaOptions& options, ClientEvents& events);

  // A reader of these partitions from these offsets on.
  std::unique_ptr<PartitionReader> read(const Positions& positions) const;

  // A reader with a queue for each partition, for about `partitions` of them. `log` must outlive
  // it.
  std::unique_ptr<PartitionQueues> queues(std::size_t partitions, Log& log) const;

  // Runs pending callbacks of librdkafka (ClientEvents); to be called regularly.
  void serve() const;

  // Throws when no broker can be reached in time.
  std::string cluster_id() const;
  // Partitions of each topic; 0: there is no such topic.
  std::map<std::string, std::int32_t> partition_counts(
      const std::vector<std::string>& topics) const;
  TopicSize size_of(const std::string& topic) const;
  Watermarks watermarks(const TopicPartition& partition) const;
  // The end of each partition, after its last committed record, in one request. Partitions without
  // an answer are left out.
  Positions ends(const std::vector<TopicPartition>& partitions) const;
  // As `ends`: the offset of the oldest record of each partition.
  Positions begins(const std::vector<TopicPartition>& partitions) const;
  std::vector<CommittedOffset> committed(const std::vector<TopicPartition>& partitions) const;
  // False when looking up the group is not permitted. True does not imply that committing is.
  bool may_see_group() const;

  // Commits offsets without a transaction, and waits until they are committed.
  void commit(std::span<const OffsetCommit> commits);

  // For admin requests.
  rd_kafka_t* handle() const { return client_.get(); }

 private:
  Positions offsets_at(std::int64_t where, const std::vector<TopicPartition>& partitions) const;
  // Asks the leaders of partitions, with a new client if `client_` cannot find them though brokers
  // answer about its topic.
  rd_kafka_resp_err_t ask_leader(const TopicPartition& partition,
                                 const std::function<rd_kafka_resp_err_t(rd_kafka_t*)>& ask) const;

  const KafkaOptions& options_;
  ClientEvents& events_;
  KafkaHandle client_;
};

}  // namespace neardup
