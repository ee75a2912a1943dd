#include "bench/index_growth.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace neardup::bench {
namespace {

constexpr std::uint64_t kRowDocuments = 1'000'000;
constexpr std::size_t kAveragedRows = 5;
constexpr double kMostSettleSeconds = 600;

// The least bytes of a kept document: sketch, id, 1-bit sketch, and 9 bytes a band.
double least_bytes(const IndexLoad& load) { return 256 + 16 + 32 + 9.0 * load.synthetic.bands; }

// Waits for a second in which the process uses less than a hundredth of a core. Returns the costs
// at the start of that second.
ProcessCosts settle() {
  const ProcessCosts start = process_costs();
  ProcessCosts idle_since = start;
  while (idle_since.seconds - start.seconds < kMostSettleSeconds) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const ProcessCosts now = process_costs();
    if (now.cpu_seconds - idle_since.cpu_seconds < 0.01) break;
    idle_since = now;
  }
  return idle_since;
}

}  // namespace

void IndexGrowth::run() {
  while (run_.documents() < load_.documents) {
    const std::uint64_t left = load_.documents - run_.documents();
    const std::uint64_t row = run_.documents() / kRowDocuments;
    slowest_ = std::max(slowest_, run_.run_batch(left));
    if (run_.documents() / kRowDocuments != row || run_.documents() == load_.documents) print_row();
  }
}

void IndexGrowth::print_row() {
  const Moment now{.counts = run_.counts()};
  Row row;
  if (load_.output.json) row.text("row", "growth");
  row.number("documents", static_cast<double>(run_.documents()));
  rows_.push_back(add_costs(last_, now, row));
  row.number("slowest_batch_ms", slowest_ * 1e3);
  row.print(load_.output);
  last_ = now;
  slowest_ = 0;
}

void IndexGrowth::finish() {
  const double filled = process_costs().seconds;
  const Moment end{.costs = settle(), .counts = run_.counts()};
  Row row;
  row.text("row", "total").number("documents", static_cast<double>(run_.documents()));
  add_costs(start_, end, row);
  const std::span rows(rows_);
  const std::size_t averaged = std::min(kAveragedRows, rows.size());
  row.number("first_rows_per_cpu_second", average(rows.first(averaged)))
      .number("last_rows_per_cpu_second", average(rows.last(averaged)))
      .number("rows_averaged", static_cast<double>(averaged))
      .number("disk_by_least", disk_bytes_per_document() / least_bytes(load_), 3)
      .number("settle_seconds", end.costs.seconds - filled, 1)
      .number("copies_without_band", static_cast<double>(end.counts.no_band))
      .number("missed", static_cast<double>(end.counts.missed))
      .number("wrong", static_cast<double>(end.counts.wrong));
  row.print_list(load_.output);
}

IndexGrowth::Rate IndexGrowth::add_costs(const Moment& from, const Moment& to, Row& row) const {
  const auto of = [&](std::uint64_t IndexCounts::*field) {
    return static_cast<double>(to.counts.*field - from.counts.*field);
  };
  const double least = std::max(1.0, of(&IndexCounts::kept) * least_bytes(load_));
  const auto amplification = [&](std::uint64_t ProcessCosts::*field) {
    return static_cast<double>(to.costs.*field - from.costs.*field) / least;
  };
  const double documents = of(&IndexCounts::documents);
  const double per_document = 1 / std::max(1.0, documents);
  const double seconds = to.costs.seconds - from.costs.seconds;
  const double make = to.counts.make_cpu_seconds - from.counts.make_cpu_seconds;
  const double cpu = to.costs.cpu_seconds - from.costs.cpu_seconds - make;
  row.number("documents_per_second", documents / seconds)
      .number("documents_per_cpu_second", documents / cpu)
      .number("rss_bytes", static_cast<double>(to.costs.rss_bytes))
      .number("disk_bytes_per_document", disk_bytes_per_document(), 1)
      .number("write_amplification", amplification(&ProcessCosts::disk_written_bytes), 2)
      .number("read_amplification", amplification(&ProcessCosts::disk_read_bytes), 2)
      .number("candidates_per_document", of(&IndexCounts::candidates) * per_document, 4)
      .number("rows_per_document", of(&IndexCounts::passed) * per_document, 4);
  if (load_.output.json) {
    row.number("peak_rss_bytes", static_cast<double>(to.costs.peak_rss_bytes))
        .number("mapped_bytes", static_cast<double>(to.costs.mapped_bytes))
        .number("seconds", seconds, 3)
        .number("cpu_seconds", cpu, 3)
        .number("make_cpu_seconds", make, 3)
        .number("commit_seconds", to.counts.commit_seconds - from.counts.commit_seconds, 3);
  }
  return {documents, cpu};
}

double IndexGrowth::disk_bytes_per_document() const {
  return static_cast<double>(disk_bytes(load_.storage.path)) /
         std::max(1.0, static_cast<double>(run_.kept()));
}

double IndexGrowth::average(std::span<const Rate> rows) {
  Rate sum;
  for (const Rate& row : rows) {
    sum.documents += row.documents;
    sum.cpu_seconds += row.cpu_seconds;
  }
  return sum.documents / std::max(1e-9, sum.cpu_seconds);
}

}  // namespace neardup::bench
