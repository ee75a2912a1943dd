// The metrics of a service that reads Kafka.
#pragma once

#include <atomic>
#include <cstdint>

#include "service/kafka/client/client_events.h"
#include "service/kafka/deliver/delivery_thread.h"
#include "service/kafka/read/partition_board.h"
#include "service/monitor/service_metrics.h"

namespace neardup {

// One thread sets, others read.
struct RecoveryProgress {
  std::atomic<std::uint64_t> batches{0};  // stored batches that this start has to deliver
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::int64_t> replay_records{0};  // still to be replayed
};

class KafkaMetrics : public ServiceMetrics {
 public:
  // All references must outlive this.
  KafkaMetrics(MetricRegistry& registry, const Health& health, const ClientEvents& events);

  PartitionBoard& partitions() { return partitions_; }
  RecoveryProgress& recovery() { return recovery_; }

  // As those of ServiceMetrics.
  [[nodiscard]] Shown show_outbox(const DeliveryThread& thread);

 private:
  void read_recovery(Samples& samples) const;
  void read_partitions(Samples& samples) const;

  const ClientEvents& client_events_;
  PartitionBoard partitions_;
  RecoveryProgress recovery_;
  Shown shown_;  // last: it reads all of the above
};

}  // namespace neardup
