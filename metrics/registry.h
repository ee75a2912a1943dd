// The metrics of a process and their exposition as text. The only user of prometheus-cpp.
//
// Metrics with source kEvents are counted here. Those with source kScrape are set by readers during
// a scrape, in its thread: a reader may hold a lock for moments, but must not wait for work. Any
// thread may make any call, unless stated otherwise.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "metrics/catalogue.h"
#include "metrics/labels.h"
#include "metrics/local_histogram.h"

namespace neardup {

// The values that readers set during one scrape; each series at most once.
class Samples {
 public:
  virtual ~Samples() = default;
  // For a metric without labels, or with a label of listed values (metrics/labels.h).
  virtual void set(Metric metric, double value, LabelValue label = {}) = 0;
  // For a metric with open labels: their values, in the order of the catalogue.
  virtual void set(Metric metric, double value, std::vector<std::string> labels) = 0;
};

class MetricRegistry {
 public:
  // Starts all series of metrics with source kEvents at zero.
  MetricRegistry();
  ~MetricRegistry();
  MetricRegistry(const MetricRegistry&) = delete;
  MetricRegistry& operator=(const MetricRegistry&) = delete;

  // Requires for these calls: `metric` has source kEvents and the type on the right; `label` is a
  // value of its label.
  void add(Metric metric, double amount, LabelValue label = {});     // counter
  void advance(Metric metric, double total, LabelValue label = {});  // counter; by one thread
  void set(Metric metric, double value);                             // gauge
  void observe(Metric metric, double value, LabelValue label = {});  // histogram
  void observe(Metric metric, const LocalHistogram& values);         // histogram
  // `counts`: of each bucket, the one above all bounds last.
  void observe(Metric metric, const std::vector<double>& counts, double sum);

  using Reader = std::function<void(Samples&)>;
  // Calls `reader` in each scrape while the result lives. The result's destructor waits for the
  // current scrape.
  class Attachment;
  [[nodiscard]] std::unique_ptr<Attachment> attach(Reader reader);

  // The text format of Prometheus, version 0.0.4.
  std::string scrape() const;

  // Single values, for those who need no text. Requires: `metric` has source kEvents and the type
  // of the call on the right of those above.
  double counted(Metric metric, LabelValue label = {}) const;  // counter
  struct Observed {
    double count = 0;
    double sum = 0;
  };
  Observed observed(Metric metric) const;  // histogram without labels
  // Has all readers set their values, as a scrape does.
  void read(Samples& samples) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Must be destroyed before the registry.
class MetricRegistry::Attachment {
 public:
  virtual ~Attachment() = default;
};

inline constexpr const char* kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace neardup
