#include "metrics/catalogue.h"

#include "metrics/labels.h"

namespace neardup {
namespace {

using enum MetricType;
using enum MetricSource;

const std::vector<MetricLabel> kBuild = {
    {"version", {}, "of neardup"},
    {"revision", {}, "40 hex digits, perhaps -dirty, or unknown"},
    {"rocksdb", {}, "its version"},
    {"librdkafka", {}, "its version"}};
const std::vector<double> kBatchBounds = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536};
const std::vector<double> kStageBounds = {0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1,
                                          0.3,    1,      3,     10,    30,   100};
const std::vector<double> kDelayBounds = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,   2.5,
                                          5,    10,    30,   60,  300,  900, 3600};
const std::vector<double> kAgeBounds = {0.05, 0.1, 0.25, 0.5, 1,    2.5,   5,    10,
                                        30,   60,  300,  900, 3600, 21600, 86400};
const std::vector<double> kBucketBounds = {0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023};
const std::vector<double> kSimilarityBounds = {0.5,   0.6, 0.7,   0.75, 0.8,   0.825, 0.85,
                                               0.875, 0.9, 0.925, 0.95, 0.975, 0.99,  1};
const std::vector<double> kShardBounds = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01,
                                          0.025,  0.05,    0.1,    0.25,  0.5,    1,     2.5};
const std::vector<MetricLabel> kPartition = {{"topic", {}, "topic of `kafka.topics`"},
                                             {"partition", {}, "partition of this instance"}};

std::vector<MetricSection> all_sections() {
  std::vector<MetricSection> sections;
#define SECTION(name, about) sections.push_back({name, about, {}});
#define METRIC(id, ...) sections.back().metrics.push_back({Metric::id, __VA_ARGS__});
#include "metrics/catalogue.inc"
#undef METRIC
#undef SECTION
  return sections;
}

}  // namespace

const std::vector<MetricSection>& metric_sections() {
  static const std::vector<MetricSection> sections = all_sections();
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
