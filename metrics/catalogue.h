// Every metric of the service: name, type, unit, help, labels, buckets, all in catalogue_*.inc. The
// exposition, docs/metrics.md and the tests are derived from it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pipeline/base/enum_name.h"

namespace neardup {

// In the order of the catalogue.
enum class Metric : std::uint8_t {
#define SECTION(...)
#define METRIC(id, ...) id,
#include "metrics/catalogue.inc"
#undef METRIC
};
inline constexpr std::size_t kMetrics = 0
#define METRIC(...) +1
#include "metrics/catalogue.inc"
#undef METRIC
#undef SECTION
    ;

enum class MetricType : std::uint8_t { kCounter, kGauge, kHistogram };
inline constexpr std::array<std::string_view, 3> kMetricTypeNames{"counter", "gauge", "histogram"};
constexpr std::span<const std::string_view> names(MetricType) { return kMetricTypeNames; }

// Where its values come from.
enum class MetricSource : std::uint8_t {
  kEvents,  // counted by a probe when an event happens
  kScrape,  // set by a reader during a scrape
};

struct MetricLabel {
  std::string_view name;
  // All values, in the order of the label's enum (metrics/labels.h); empty: `open` describes them.
  std::vector<std::string_view> values = {};
  std::string_view open = {};
};

struct MetricInfo {
  Metric id;
  MetricType type;
  MetricSource source;
  std::string_view name;
  std::string_view unit;  // "seconds", "documents"; empty: a state or a number without one
  std::string_view help;
  std::vector<MetricLabel> labels = {};
  std::vector<double> buckets = {};  // of a histogram: upper bounds, ascending, without +Inf
};

struct MetricSection {
  std::string_view name;
  std::string_view about;
  std::vector<MetricInfo> metrics;
};

// All metrics by subject, in the order of their ids.
const std::vector<MetricSection>& metric_sections();
const MetricInfo& metric_info(Metric id);

}  // namespace neardup
