#include "metrics/reference.h"

#include <fmt/core.h>

#include <string_view>

#include "metrics/catalogue.h"

namespace neardup {
namespace {

constexpr std::string_view kIntroduction = R"(# Metrics

Made by `neardup metrics reference > docs/metrics.md`; edit `metrics/catalogue_*.inc`, not this page.

`neardup serve` answers `/metrics` on `http.listen` in the text format of Prometheus, without a token. Counters
begin at 0 with the process. A label has only the values listed here; of `topic` and `partition` the ones that this
instance reads. Every series of a label with listed values is there from the first scrape on.
)";

std::string label_text(const MetricLabel& label) {
  std::string text = fmt::format("`{}`: ", label.name);
  if (label.values.empty()) return text + std::string(label.open);
  std::string_view separator;
  for (const std::string_view value : label.values) {
    text.append(separator).append(value);
    separator = ", ";
  }
  return text;
}

std::string labels_text(const MetricInfo& metric) {
  std::string text;
  for (const MetricLabel& label : metric.labels) {
    text.append(text.empty() ? "" : "; ").append(label_text(label));
  }
  return text;
}

std::string bounds_text(const MetricInfo& metric) {
  std::string text;
  for (const double bound : metric.buckets) {
    text += fmt::format("{}{}", text.empty() ? " Buckets up to " : ", ", bound);
  }
  return text.empty() ? "" : text + ".";
}

std::string row(const MetricInfo& metric) {
  return fmt::format("| `{}` | {} | {} | {} | {}{} |\n", metric.name, name(metric.type),
                     metric.unit, labels_text(metric), metric.help, bounds_text(metric));
}

}  // namespace

std::string metrics_markdown() {
  std::string page(kIntroduction);
  for (const MetricSection& section : metric_sections()) {
    page += fmt::format("\n## {}\n{}\n\n", section.name, section.about);
    page += "| Name | Type | Unit | Labels | Meaning |\n| --- | --- | --- | --- | --- |\n";
    for (const MetricInfo& metric : section.metrics) page += row(metric);
  }
  return page;
}

}  // namespace neardup
