#include "service/kafka/service_metrics.h"

#include <algorithm>

#include "service/monitor/store_collector.h"

namespace neardup {
namespace {

double seconds_of(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

ServiceMetrics::ServiceMetrics(MetricRegistry& registry, const Health& health,
                               const ClientEvents& events)
    : registry_(registry),
      health_(health),
      client_events_(events),
      events_(registry),
      shown_(registry.attach([this](Samples& samples) {
        read_service(samples);
        read_recovery(samples);
        read_partitions(samples);
      })) {}

void ServiceMetrics::set_state(ServiceState state) {
  state_ = state;
  if (state == ServiceState::kServing && start_took_.load() == Clock::duration{0}) {
    start_took_ = Clock::now() - began_;
  }
}

void ServiceMetrics::set_draining() { draining_ = true; }

void ServiceMetrics::read_service(Samples& samples) const {
  const ServiceState state = draining_ ? ServiceState::kDraining : state_.load();
  for_each_label<ServiceState>(
      [&](ServiceState one) { samples.set(Metric::kServiceState, one == state ? 1 : 0, one); });
  samples.set(Metric::kReady, health_.why_not_ready().empty() ? 1 : 0);
  samples.set(Metric::kHealthy, health_.why_unhealthy().empty() ? 1 : 0);
  samples.set(Metric::kBrokersReachable, client_events_.brokers_down() ? 0 : 1);
}

void ServiceMetrics::read_recovery(Samples& samples) const {
  const Clock::duration took = start_took_.load();
  const bool over = took != Clock::duration{0};
  samples.set(Metric::kRecoveryDuration, seconds_of(over ? took : Clock::now() - began_));
  samples.set(Metric::kRecoveryBatches, static_cast<double>(recovery_.batches));
  samples.set(Metric::kRecoveryBatchesSent, static_cast<double>(recovery_.sent));
  samples.set(Metric::kReplayRecords, static_cast<double>(recovery_.replay_records));
}

void ServiceMetrics::read_partitions(Samples& samples) const {
  for (const PartitionBoard::Line& line : partitions_.lines(Clock::now())) {
    const std::vector<std::string> labels = {line.partition.topic,
                                             std::to_string(line.partition.partition)};
    const auto set = [&](Metric metric, double value) { samples.set(metric, value, labels); };
    set(Metric::kCommittedOffset, static_cast<double>(line.committed));
    set(Metric::kCommitAge, seconds_of(line.age));
    if (!line.end) continue;
    set(Metric::kEndOffset, static_cast<double>(*line.end));
    // The committed offset may be newer than the end offset.
    set(Metric::kLag, static_cast<double>(std::max<std::int64_t>(*line.end - line.committed, 0)));
  }
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

ServiceMetrics::Shown ServiceMetrics::show_outbox(const DeliveryThread& thread) {
  return registry_.attach([&thread](Samples& samples) {
    samples.set(Metric::kOutboxBatches, static_cast<double>(thread.undelivered()));
  });
}

}  // namespace neardup
