// Reading from Kafka: an assigned, never balancing consumer of committed records, and what else can
// be asked through it. Errors are KafkaErrors. `poll` and `assign` belong to one thread; the
// questions may come from any.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "service/kafka/client_events.h"
#include "service/kafka/handles.h"
#include "service/kafka/positions.h"
#include "service/kafka/recovery_plan.h"
#include "service/options.h"

namespace neardup {

struct Watermarks {
  std::int64_t low = 0;   // the oldest record that is still there
  std::int64_t high = 0;  // after the last committed one
};

class Consumer {
 public:
  Consumer(const KafkaOptions& options, ClientEvents& events);

  // Reads these partitions from these offsets on; whatever was fetched before is dropped.
  void assign(const Positions& positions);

  // The next message, end of a partition or error (rd_kafka_message_t::err), or null after
  // `timeout_ms`.
  KafkaMessage poll(int timeout_ms);

  // Throws for brokers that cannot be reached in time.
  std::string cluster_id() const;
  // Partitions of each topic; 0: there is no such topic.
  std::map<std::string, std::int32_t> partition_counts(
      const std::vector<std::string>& topics) const;
  Watermarks watermarks(const TopicPartition& partition) const;
  // After the last record, committed or not, as of the last fetch; asks no broker.
  std::int64_t last_seen_end(const TopicPartition& partition) const;
  std::vector<CommittedOffset> committed(const std::vector<TopicPartition>& partitions) const;

  // Commits without a transaction, and waits for it.
  void commit(const Positions& positions, const std::string& metadata);

  // For admin requests.
  rd_kafka_t* handle() const { return client_.get(); }

 private:
  KafkaHandle client_;
};

// `metadata` goes with each offset.
PartitionList make_list(const Positions& positions, const std::string& metadata);

}  // namespace neardup
