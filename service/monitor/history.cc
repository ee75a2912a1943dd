#include "service/monitor/history.h"

#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "pipeline/base/json_object.h"
#include "service/log/clock.h"

namespace neardup {
namespace {

// Of all that readers set, the metrics that a sample shows.
struct Shown {
  Metric metric;
  const char* name;
  int decimals = 0;  // whole numbers are exact up to 2^53
};
constexpr std::array<Shown, 8> kShown = {{{Metric::kLag, "lag"},
                                          {Metric::kPrecision, "precision", 4},
                                          {Metric::kRecall, "recall", 4},
                                          {Metric::kIndexDocuments, "index_documents"},
                                          {Metric::kIndexGenerations, "index_generations"},
                                          {Metric::kStateBytes, "state_bytes"},
                                          {Metric::kDiskFree, "disk_free_bytes"},
                                          {Metric::kBackupLatest, "backup_seconds"}}};

// Sums over the labels of a metric.
class ShownSamples : public Samples {
 public:
  void set(Metric metric, double value, LabelValue) override { add(metric, value); }
  void set(Metric metric, double value, std::vector<std::string>) override { add(metric, value); }

  void write(JsonObject& json) const {
    for (std::size_t i = 0; i < kShown.size(); ++i) {
      if (sums_[i]) json.decimals(kShown[i].name, *sums_[i], kShown[i].decimals);
    }
  }

 private:
  void add(Metric metric, double value) {
    for (std::size_t i = 0; i < kShown.size(); ++i) {
      if (kShown[i].metric == metric && !std::isnan(value)) sums_[i] = sums_[i].value_or(0) + value;
    }
  }

  std::array<std::optional<double>, kShown.size()> sums_;
};

std::string sample_json(const MetricRegistry& registry, std::int64_t time_ms) {
  JsonObject documents;
  for_each_label<Status>([&](Status status) {
    documents.decimals(name(status), registry.counted(Metric::kDocuments, status), 0);
  });
  const auto delays = registry.observed(Metric::kArrivalToFlag);
  ShownSamples shown;
  registry.read(shown);
  JsonObject json;
  json.number("time_ms", time_ms).json("documents", documents.str());
  json.decimals("input_bytes", registry.counted(Metric::kInputBytes), 0);
  json.decimals("flags", delays.count, 0).decimals("delay_seconds", delays.sum, 3);
  shown.write(json);
  return json.str();
}

}  // namespace

History::~History() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void History::start() {
  thread_ = std::thread([this] { run(); });
}

void History::take(std::int64_t time_ms) {
  Sample sample{time_ms, sample_json(registry_, time_ms)};
  const MutexLock lock(mutex_);
  if (samples_.size() == kSamples) samples_.pop_front();
  samples_.push_back(std::move(sample));
}

std::string History::json(std::int64_t after_ms) const {
  std::vector<std::string> later;
  const MutexLock lock(mutex_);
  for (const Sample& sample : samples_) {
    if (sample.time_ms > after_ms) later.push_back(sample.json);
  }
  JsonObject json;
  json.number("every_seconds", kBetweenSeconds);
  return json.json("samples", json_list(later, [](const std::string& one) { return one; })).str();
}

void History::run() {
  while (true) {
    take(now_ms());
    MutexLock lock(mutex_);
    const auto next = std::chrono::steady_clock::now() + std::chrono::seconds(kBetweenSeconds);
    while (!stop_ && wake_.wait_until(lock, next)) {
    }
    if (stop_) return;
  }
}

}  // namespace neardup
