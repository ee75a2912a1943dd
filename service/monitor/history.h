// The last quarter of an hour of a service, from its metrics: for the page, which needs no
// Prometheus.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <thread>

#include "metrics/registry.h"
#include "pipeline/base/mutex.h"

namespace neardup {

class History {
 public:
  static constexpr std::size_t kSamples = 181;
  static constexpr int kBetweenSeconds = 5;

  // `registry` must outlive this. Takes nothing until start().
  explicit History(const MetricRegistry& registry) : registry_(registry) {}
  ~History();
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // Takes a sample now and every five seconds, in a separate thread, which lives as long as this.
  void start();
  // Takes a sample. The oldest makes room for it.
  void take(std::int64_t time_ms);

  // The samples that are later than `after_ms`: one object. Counts are since the start of the
  // process; what has no value yet is left out. Any thread may ask.
  std::string json(std::int64_t after_ms) const;

 private:
  struct Sample {
    std::int64_t time_ms;
    std::string json;
  };
  void run();

  const MetricRegistry& registry_;
  mutable Mutex mutex_;
  ConditionVariable wake_;
  bool stop_ GUARDED_BY(mutex_) = false;
  std::deque<Sample> samples_ GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace neardup
