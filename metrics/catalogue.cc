#include "metrics/catalogue.h"

#include "metrics/catalogue_sections.h"

namespace neardup {

const std::vector<MetricSection>& metric_sections() {
  static const std::vector<MetricSection> sections = {
      service_metrics(),         documents_metrics(), stages_metrics(),
      candidates_metrics(),      quality_metrics(),   kafka_and_exactly_once_metrics(),
      sketcher_metrics(),        recovery_metrics(),  cluster_metrics(),
      resolver_metrics(),        shard_metrics(),     index_and_state_metrics(),
      memory_and_disk_metrics(), rocksdb_metrics(),   gpu_metrics(),
      process_metrics()};
  return sections;
}

const MetricInfo& metric_info(Metric id) {
  static const std::vector<const MetricInfo*> by_id = [] {
    std::vector<const MetricInfo*> all;
    for (const MetricSection& section : metric_sections()) {
      for (const MetricInfo& metric : section.metrics) all.push_back(&metric);
    }
    return all;
  }();
  return *by_id.at(static_cast<std::size_t>(id));
}

}  // namespace neardup
