#include "bench/metrics_parts.h"

#include "metrics/event_metrics.h"
#include "pipeline/quality_check.h"
#include "pipeline/stage_clock.h"
#include "service/kafka/read/decided_batch.h"
#include "service/monitor/collectors.h"

namespace neardup::bench {
namespace {

constexpr std::size_t kChunk = 256;
constexpr std::size_t kBatch = 16'384;

void print(const Options& options, std::string_view part, double calls, const Timing& timing) {
  Row()
      .text("part", part)
      .number("ns", timing.median / calls * 1e9, 1)
      .number("ns_min", timing.least / calls * 1e9, 1)
      .number("ns_max", timing.most / calls * 1e9, 1)
      .print(options);
}

// Splitting the time of a chunk between decode and normalise.
void clocks(const Options& options) {
  const Timing timing = time_calls(options, [] {
    TurnsClock turns;
    for (std::size_t i = 0; i < kChunk; ++i) {
      turns.begin(i);
      turns.between();
      turns.end();
    }
  });
  print(options, "clocks of decode and normalise, a document", kChunk, timing);
}

void arrivals(const Options& options, EventMetrics& events) {
  RawChunk chunk;
  chunk.records.resize(kChunk);
  for (RawRecord& record : chunk.records) record.ts_ms = 1'700'000'000'000;
  const Timing timing = time_calls(options, [&] {
    Arrivals of_batch;
    for (std::size_t i = 0; i < kBatch; i += kChunk) of_batch.add(chunk);
    DeliveredBatchReport report;
    of_batch.tally(chunk.first_read, 1'700'000'005'000, report);
    events.batch_delivered(report);
  });
  print(options, "arrival and age of a batch's records, a document", kBatch, timing);
}

void batch_report(const Options& options, EventMetrics& events) {
  const StoredBatchReport report{.batch_documents = kBatch};
  const Timing timing = time_calls(options, [&] { events.batch_stored(report); });
  print(options, "a batch's report into the registry, a document", kBatch, timing);
}

// The cost of the texts: all documents are stored, and no pair is offered.
void quality_texts(const Options& options, const std::vector<std::string>& texts) {
  QualityCheck check(Rule(), SimdLevel::kAuto, std::uint64_t{32} << 20);
  Seq seq = 0;
  const Timing timing = time_calls(options, [&] {
    for (const std::string& text : texts) check.stored(++seq, text);
  });
  print(options, "texts held for online quality, a stored document",
        static_cast<double>(texts.size()), timing);
}

void quality_pairs(const Options& options, const std::vector<std::string>& texts) {
  QualityCheck check(Rule(), SimdLevel::kAuto, std::uint64_t{32} << 20);
  for (Seq seq = 1; seq <= kChunk; ++seq) check.stored(seq, texts[seq % texts.size()]);
  Seq seq = 0;
  const Timing timing = time_calls(options, [&] {
    for (std::size_t i = 0; i < kBatch; ++i) {
      check.pair(PairKind::kFlagged, 1 + ++seq % kChunk, texts[i % texts.size()]);
    }
    check.batch_stored();
  });
  print(options, "pairs offered to online quality, a near-duplicate", kBatch, timing);
}

void scrapes(const Options& options, MetricRegistry& registry) {
  const auto shown = registry.attach(collect_process);
  const Timing timing = time_calls(options, [&] { registry.scrape(); });
  print(options, "a scrape, without a store", 1, timing);
}

}  // namespace

void measure_parts(const Options& options, const std::vector<std::string>& texts) {
  MetricRegistry registry;
  EventMetrics events(registry);
  clocks(options);
  arrivals(options, events);
  batch_report(options, events);
  quality_texts(options, texts);
  quality_pairs(options, texts);
  scrapes(options, registry);
}

}  // namespace neardup::bench
