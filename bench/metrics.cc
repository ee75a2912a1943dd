// What metrics cost: the pipeline of `serve`, from JSON in memory to a synced state, with all
// probes and without, in turns; then parts alone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>

#include "bench/metrics_parts.h"
#include "bench/process_costs.h"
#include "bench/runner.h"
#include "config/config.h"
#include "gpu/backends.h"
#include "pipeline/pipeline.h"
#include "service/kafka/monitor/kafka_metrics.h"
#include "service/monitor/service_metrics.h"
#include "service/records/chunk_builder.h"
#include "service/records/record_decoder.h"
#include "storage/stores.h"

namespace neardup::bench {
namespace {

struct Command {
  std::string documents;
  std::string path = (std::filesystem::temp_directory_path() / "neardup-bench-metrics").string();
  std::uint32_t pairs = 20;
  std::string once;
  Options output;
};

// Lines of a file, copied as messages of Kafka are.
class LineSource : public Source {
 public:
  explicit LineSource(const std::vector<std::string>& lines) : lines_(lines) {}

  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override {
    ChunkBuilder builder(chunk);
    while (next_ < lines_.size() && chunk.records.size() < max_records &&
           chunk.buffer.size() < max_bytes) {
      RawRecord record;
      record.bytes = lines_[next_++];
      builder.add(record);
    }
    builder.seal();
    return !chunk.records.empty();
  }
  std::vector<std::pair<std::string, std::string>> positions() override { return {}; }

 private:
  const std::vector<std::string>& lines_;
  std::size_t next_ = 0;
};

class NoDelivery : public Delivery {
 public:
  void add(const RawChunk&, std::vector<Flag>&) override {}
  void before_commit(WriteSet&) override {}
  void after_commit() override {}
};

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

Rule default_rule(const Config& config) {
  Rule rule;
  rule.plan = {config.shingle, config.sketch, 16, 6};
  return rule;
}

struct Run {
  double cpu_seconds = 0;
  std::uint64_t documents = 0;
  std::uint64_t duplicates = 0;
};

class Measurement {
 public:
  Measurement(const Command& command, const std::vector<std::string>& lines)
      : command_(command), lines_(lines), backend_(make_backend({}, rule_.plan)) {}

  Run run(bool with_metrics) {
    std::filesystem::remove_all(command_.path);
    StorageOptions storage;
    storage.path = command_.path;
    storage.statistics = with_metrics;
    const auto store = open_store(storage, OpenMode::kReadWrite);
    NoDelivery delivery;
    // In the order in which `serve` has them.
    MetricRegistry registry;
    ServiceMetrics metrics(registry, health_);
    const KafkaMetrics kafka_metrics(registry, client_events_);
    std::optional<QualityCheck> quality;
    if (with_metrics) quality.emplace(rule_, SimdLevel::kAuto, storage.memory / 64);
    Pipeline pipeline({rule_, {}, {}, {}, KeepTexts::kNone}, *backend_, *store, delivery);
    std::vector<ServiceMetrics::Shown> shown;
    if (with_metrics) {
      pipeline.report_to(metrics.events());
      pipeline.watch_quality(*quality);
      shown.push_back(metrics.show_store(*store, storage.memory, storage.path));
      shown.push_back(metrics.show_quality(*quality));
    }
    LineSource source(lines_);
    const std::atomic<bool> never{false};
    const double start = process_costs().cpu_seconds;
    pipeline.run(
        source, [&] { return std::make_unique<RecordDecoder>(config_.input, config_.text); }, never,
        [](const PipelineCounts&) {});
    Run result{process_costs().cpu_seconds - start, pipeline.counts().documents(),
               pipeline.counts().of(Status::kNearDuplicate) +
                   pipeline.counts().of(Status::kExactDuplicate)};
    return result;
  }

  // A scrape with all metrics of a working store.
  void scrape_row() {
    StorageOptions storage;
    storage.path = command_.path;
    storage.statistics = true;
    const auto store = open_store(storage, OpenMode::kReadWrite);
    MetricRegistry registry;
    ServiceMetrics metrics(registry, health_);
    const KafkaMetrics kafka_metrics(registry, client_events_);
    const auto shown = metrics.show_store(*store, storage.memory, storage.path);
    const Timing timing = time_calls(command_.output, [&] { registry.scrape(); });
    Row()
        .text("part", "a scrape with a store")
        .number("ns", timing.median * 1e9, 1)
        .number("ns_min", timing.least * 1e9, 1)
        .number("ns_max", timing.most * 1e9, 1)
        .print(command_.output);
  }

 private:
  const Command& command_;
  const std::vector<std::string>& lines_;
  Config config_;
  Rule rule_ = default_rule(config_);
  std::unique_ptr<Backend> backend_;
  Health health_;
  Log log_{LogOptions()};
  ClientEvents client_events_{log_};
};

// The mean, and half the width of its 95 % interval.
std::pair<double, double> mean_with_noise(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, 1.96 * std::sqrt(squares / (n - 1) / n)};
}

void compare(const Command& command, Measurement& measurement) {
  std::vector<double> without;
  std::vector<double> with;
  std::vector<double> shares;  // of a pair of runs, one behind the other
  measurement.run(false);      // warm
  Run last;
  for (std::uint32_t i = 0; i < command.pairs; ++i) {
    const bool first = i % 2 == 0;  // each goes first as often
    const Run a = measurement.run(first);
    const Run b = measurement.run(!first);
    last = a;
    with.push_back(first ? a.cpu_seconds : b.cpu_seconds);
    without.push_back(first ? b.cpu_seconds : a.cpu_seconds);
    shares.push_back(with.back() / without.back() - 1);
  }
  const auto [mean, noise] = mean_with_noise(shares);
  Row()
      .text("row", "pipeline")
      .number("documents", static_cast<double>(last.documents))
      .number("duplicates", static_cast<double>(last.duplicates))
      .number("pairs", command.pairs)
      .number("cpu_seconds_without", median(without), 3)
      .number("cpu_seconds_with", median(with), 3)
      .number("least_without", *std::ranges::min_element(without), 3)
      .number("least_with", *std::ranges::min_element(with), 3)
      .number("median_cost_percent", 100 * median(shares), 2)
      .number("mean_cost_percent", 100 * mean, 2)
      .number("noise_percent", 100 * noise, 2)
      .print_list(command.output);
}

int run(int argc, char** argv) {
  Command command;
  CLI::App app{
      "What metrics cost: CPU seconds of the pipeline with and without, and of parts alone"};
  app.add_option("--path", command.path, "directory of the state, recreated for each run")
      ->capture_default_str();
  app.add_option("--pairs", command.pairs, "runs with and without")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  app.add_option("--once", command.once,
                 "a single run, with or without, for a program that counts instructions")
      ->check(CLI::IsMember({"with", "without"}));
  app.add_flag("--json", command.output.json, "one JSON object a row");
  app.add_option("DOCUMENTS", command.documents, "JSON Lines")
      ->required()
      ->check(CLI::ExistingFile);
  CLI11_PARSE(app, argc, argv);
  const std::vector<std::string> lines = lines_of(command.documents);
  Measurement measurement(command, lines);
  if (!command.once.empty()) {
    measurement.run(command.once == "with");
    std::filesystem::remove_all(command.path);
    return 0;
  }
  compare(command, measurement);
  measurement.scrape_row();
  std::filesystem::remove_all(command.path);
  measure_parts(command.output, lines);
  return 0;
}

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) { return neardup::bench::run(argc, argv); }
