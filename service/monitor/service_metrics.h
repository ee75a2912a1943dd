// The metrics of a service at /metrics: events that its parts report, and values read from them at
// each scrape.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "gpu/backend.h"
#include "metrics/event_metrics.h"
#include "metrics/registry.h"
#include "pipeline/quality_check.h"
#include "service/http/health.h"
#include "storage/store.h"

namespace neardup {

class ServiceMetrics {
 public:
  // Both must outlive this.
  ServiceMetrics(MetricRegistry& registry, const Health& health);

  EventMetrics& events() { return events_; }
  void set_state(ServiceState state);
  void set_draining();  // from then on the state shown is `draining`

  // Each exports the values of its arguments as long as the result lives; they must outlive it.
  using Shown = std::unique_ptr<MetricRegistry::Attachment>;
  [[nodiscard]] Shown show_store(Store& store, std::uint64_t memory_budget, std::string path);
  [[nodiscard]] Shown show_backend(const Backend& backend, const std::string& rule);
  [[nodiscard]] Shown show_quality(const QualityCheck& check);

 private:
  using Clock = std::chrono::steady_clock;

  void read(Samples& samples) const;

  MetricRegistry& registry_;
  const Health& health_;
  EventMetrics events_;
  const Clock::time_point began_ = Clock::now();
  std::atomic<ServiceState> state_{ServiceState::kStarting};
  std::atomic<bool> draining_{false};
  std::atomic<Clock::duration> start_took_{Clock::duration{0}};  // 0: not yet serving
  Shown shown_;                                                  // last: it reads all of the above
};

}  // namespace neardup
