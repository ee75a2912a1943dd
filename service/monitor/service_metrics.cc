#include "service/monitor/service_metrics.h"

#include "service/monitor/collectors.h"

namespace neardup {

ServiceMetrics::ServiceMetrics(MetricRegistry& registry, const Health& health)
    : registry_(registry),
      health_(health),
      events_(registry),
      shown_(registry.attach([this](Samples& samples) { read(samples); })) {}

void ServiceMetrics::set_state(ServiceState state) {
  state_ = state;
  if (state == ServiceState::kServing && start_took_.load() == Clock::duration{0}) {
    start_took_ = Clock::now() - began_;
  }
}

void ServiceMetrics::set_draining() { draining_ = true; }

void ServiceMetrics::read(Samples& samples) const {
  const ServiceState state = draining_ ? ServiceState::kDraining : state_.load();
  for_each_label<ServiceState>(
      [&](ServiceState one) { samples.set(Metric::kServiceState, one == state ? 1 : 0, one); });
  samples.set(Metric::kReady, health_.why_not_ready().empty() ? 1 : 0);
  samples.set(Metric::kHealthy, health_.why_unhealthy().empty() ? 1 : 0);
  const Clock::duration took = start_took_.load();
  const bool over = took != Clock::duration{0};
  const std::chrono::duration<double> start = over ? took : Clock::now() - began_;
  samples.set(Metric::kRecoveryDuration, start.count());
}

ServiceMetrics::Shown ServiceMetrics::show_store(Store& store, std::uint64_t memory_budget,
                                                 std::string path) {
  return registry_.attach([&store, memory_budget, path = std::move(path)](Samples& samples) {
    collect_store(store.stats(), samples);
    collect_disk(path, samples);
    samples.set(Metric::kMemoryBudget, static_cast<double>(memory_budget));
  });
}

ServiceMetrics::Shown ServiceMetrics::show_backend(const Backend& backend,
                                                   const std::string& rule) {
  return registry_.attach([&backend, rule](Samples& samples) {
    samples.set(Metric::kServiceInfo, 1, {rule, backend.description()});
    collect_backend(backend.report(), samples);
  });
}

ServiceMetrics::Shown ServiceMetrics::show_quality(const QualityCheck& check) {
  return registry_.attach([&check](Samples& samples) { collect_quality(check.stats(), samples); });
}

}  // namespace neardup
