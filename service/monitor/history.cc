#include "service/monitor/history.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "pipeline/base/json_object.h"
#include "service/log/clock.h"

namespace neardup {
namespace {

// Of all that readers set, what a sample shows.
class ShownSamples : public Samples {
 public:
  explicit ShownSamples(HistorySample& sample) : sample_(sample) {}

  void set(Metric metric, double value, LabelValue) override { set(metric, value); }
  void set(Metric metric, double value, std::vector<std::string>) override { set(metric, value); }

 private:
  void set(Metric metric, double value) {
    if (std::isnan(value)) return;
    if (metric == Metric::kLag) sample_.lag = sample_.lag.value_or(0) + value;
    if (metric == Metric::kPrecision) sample_.precision = value;
    if (metric == Metric::kRecall) sample_.recall = value;
    if (metric == Metric::kIndexDocuments) sample_.index_documents = value;
    if (metric == Metric::kIndexGenerations) sample_.index_generations = value;
    if (metric == Metric::kStateBytes) sample_.state_bytes = value;
    if (metric == Metric::kBackupLatest) sample_.backup_seconds = value;
  }

  HistorySample& sample_;
};

HistorySample sample_of(const MetricRegistry& registry, std::int64_t time_ms) {
  HistorySample sample;
  sample.time_ms = time_ms;
  for_each_label<Status>([&](Status status) {
    sample.documents.at(static_cast<std::size_t>(status)) =
        registry.counted(Metric::kDocuments, status);
  });
  sample.input_bytes = registry.counted(Metric::kInputBytes);
  const auto delays = registry.observed(Metric::kArrivalToFlag);
  sample.flags = delays.count;
  sample.delay_seconds = delays.sum;
  ShownSamples shown(sample);
  registry.read(shown);
  return sample;
}

// Whole numbers are exact up to 2^53.
void add_count(const char* name, double value, JsonObject& json) { json.decimals(name, value, 0); }

std::string documents_json(const HistorySample& sample) {
  JsonObject json;
  for_each_label<Status>([&](Status status) {
    const double count = sample.documents.at(static_cast<std::size_t>(status));
    add_count(std::string(name(status)).c_str(), count, json);
  });
  return json.str();
}

std::string sample_json(const HistorySample& sample) {
  JsonObject json;
  json.number("time_ms", sample.time_ms).json("documents", documents_json(sample));
  add_count("input_bytes", sample.input_bytes, json);
  add_count("flags", sample.flags, json);
  json.decimals("delay_seconds", sample.delay_seconds, 3);
  if (sample.lag) add_count("lag", *sample.lag, json);
  if (sample.precision) json.decimals("precision", *sample.precision, 4);
  if (sample.recall) json.decimals("recall", *sample.recall, 4);
  if (sample.index_documents) add_count("index_documents", *sample.index_documents, json);
  if (sample.index_generations) add_count("index_generations", *sample.index_generations, json);
  if (sample.state_bytes) add_count("state_bytes", *sample.state_bytes, json);
  if (sample.backup_seconds) add_count("backup_seconds", *sample.backup_seconds, json);
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
  HistorySample sample = sample_of(registry_, time_ms);
  const MutexLock lock(mutex_);
  if (samples_.size() == kSamples) samples_.pop_front();
  samples_.push_back(sample);
}

std::string History::json(std::int64_t after_ms) const {
  const MutexLock lock(mutex_);
  std::vector<HistorySample> later;
  for (const HistorySample& sample : samples_) {
    if (sample.time_ms > after_ms) later.push_back(sample);
  }
  JsonObject json;
  json.number("every_seconds", kBetweenSeconds);
  return json.json("samples", json_list(later, sample_json)).str();
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
