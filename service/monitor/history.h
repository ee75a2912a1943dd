// The last quarter of an hour of a service, from its metrics: for the page, which needs no
// Prometheus.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <thread>

#include "metrics/labels.h"
#include "metrics/registry.h"
#include "pipeline/base/mutex.h"

namespace neardup {

// Counts are since the start of the process.
struct HistorySample {
  std::int64_t time_ms = 0;
  std::array<double, kStatuses> documents{};  // by status
  double input_bytes = 0;
  double flags = 0;                 // committed or delivered
  double delay_seconds = 0;         // from arrival to that, summed over them
  std::optional<double> lag;        // records; nothing: the service reads no Kafka
  std::optional<double> precision;  // nothing: no pair was compared yet, as of the others
  std::optional<double> recall;
  std::optional<double> index_documents;  // nothing: the state is not open yet
  std::optional<double> index_generations;
  std::optional<double> state_bytes;
  std::optional<double> backup_seconds;  // when the latest was made, since 1970; 0: there is none
};

class History {
 public:
  static constexpr std::size_t kSamples = 181;
  static constexpr int kBetweenSeconds = 5;

  // `registry` must outlive this. Takes nothing until start().
  explicit History(const MetricRegistry& registry) : registry_(registry) {}
  ~History();
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // Takes a sample now and every five seconds, in a thread of its own, which lives as long as this.
  void start();
  // Takes a sample. The oldest makes room for it.
  void take(std::int64_t time_ms);

  // The samples that are later than `after_ms`: one object. Any thread may ask.
  std::string json(std::int64_t after_ms) const;

 private:
  void run();

  const MetricRegistry& registry_;
  mutable Mutex mutex_;
  ConditionVariable wake_;
  bool stop_ GUARDED_BY(mutex_) = false;
  std::deque<HistorySample> samples_ GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace neardup
