// The metrics of `serve` at /metrics: events that its parts report, and values read from them at
// each scrape.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "gpu/backend.h"
#include "metrics/event_metrics.h"
#include "metrics/registry.h"
#include "pipeline/quality_check.h"
#include "service/http/health.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/deliver/delivery_thread.h"
#include "service/kafka/read/partition_board.h"
#include "storage/store.h"

namespace neardup {

// One thread sets, others read.
struct RecoveryProgress {
  std::atomic<std::uint64_t> batches{0};  // stored batches that this start has to deliver
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::int64_t> replay_records{0};  // still to be replayed
};

class ServiceMetrics {
 public:
  // All references must outlive this.
  ServiceMetrics(MetricRegistry& registry, const Health& health, const ClientEvents& events);

  EventMetrics& events() { return events_; }
  PartitionBoard& partitions() { return partitions_; }
  RecoveryProgress& recovery() { return recovery_; }
  void set_state(ServiceState state);
  void set_draining();  // from then on the state shown is `draining`

  // Each exports the values of its arguments as long as the result lives; they must outlive it.
  using Shown = std::unique_ptr<MetricRegistry::Attachment>;
  [[nodiscard]] Shown show_store(Store& store, std::uint64_t memory_budget, std::string path);
  [[nodiscard]] Shown show_backend(const Backend& backend, const std::string& rule);
  [[nodiscard]] Shown show_quality(const QualityCheck& check);
  [[nodiscard]] Shown show_outbox(const DeliveryThread& thread);

 private:
  using Clock = std::chrono::steady_clock;

  void read_service(Samples& samples) const;
  void read_recovery(Samples& samples) const;
  void read_partitions(Samples& samples) const;

  MetricRegistry& registry_;
  const Health& health_;
  const ClientEvents& client_events_;
  EventMetrics events_;
  PartitionBoard partitions_;
  RecoveryProgress recovery_;
  const Clock::time_point began_ = Clock::now();
  std::atomic<ServiceState> state_{ServiceState::kStarting};
  std::atomic<bool> draining_{false};
  std::atomic<Clock::duration> start_took_{Clock::duration{0}};  // 0: not yet serving
  Shown shown_;                                                  // last: it reads all of the above
};

}  // namespace neardup
