// The metrics of the catalogue in a process, and their text. The only user of prometheus-cpp.
//
// Metrics of events are counted here as they happen. Those of the catalogue's kind "scrape" are
// asked of readers while somebody scrapes, in the thread that does: a reader may lock for moments,
// not wait for work. Every call may come from any thread.
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

// What one scrape has read. A series may be set once.
class Samples {
 public:
  virtual ~Samples() = default;
  // Of a metric without labels, or with a label of listed values (metrics/labels.h).
  virtual void set(Metric metric, double value, LabelValue label = {}) = 0;
  // Of a metric with open labels: their values, in the order of the catalogue.
  virtual void set(Metric metric, double value, std::vector<std::string> labels) = 0;
};

class MetricRegistry {
 public:
  // All events at zero, for each value of their label.
  MetricRegistry();
  ~MetricRegistry();
  MetricRegistry(const MetricRegistry&) = delete;
  MetricRegistry& operator=(const MetricRegistry&) = delete;

  // Requires of these: `metric` is one of events and of that type; `label` is a
  // value of its label.
  void add(Metric metric, double amount, LabelValue label = {});     // counter
  void advance(Metric metric, double total, LabelValue label = {});  // counter; one thread
  void set(Metric metric, double value);                             // gauge
  void observe(Metric metric, double value, LabelValue label = {});  // histogram
  void observe(Metric metric, const LocalHistogram& values);         // histogram
  // `counts`: of each bucket, the one above all bounds last.
  void observe(Metric metric, const std::vector<double>& counts, double sum);

  using Reader = std::function<void(Samples&)>;
  // Asks `reader` at each scrape, as long as the result lives; its end waits for the current
  // scrape.
  class Attachment;
  [[nodiscard]] std::unique_ptr<Attachment> attach(Reader reader);

  // The text format of Prometheus, version 0.0.4.
  std::string scrape() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Ends before the registry does.
class MetricRegistry::Attachment {
 public:
  virtual ~Attachment() = default;
};

inline constexpr const char* kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace neardup
