#include "pipeline/search/scan_engine.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gpu/search/row_scan.h"
#include "pipeline/base/in_threads.h"
#include "storage/control_group.h"

namespace neardup {
namespace {

// Comparing fewer rows takes less time than starting a thread.
constexpr std::uint64_t kRowsAThread = 1 << 19;

using Counts = std::map<NamespaceTag, std::uint64_t>;

// The part of a search that one thread does.
struct Part {
  std::vector<RowQuery> queries;
  Counts searched;  // by tag
};

class ScanEngine : public SearchEngine {
 public:
  ScanEngine(const SketchShape& shape, const CpuOptions& cpu,
             std::unique_ptr<RetriedDevice<DeviceRows>> device)
      : shape_(shape),
        threads_(thread_count(cpu.threads)),
        scan_(cpu),
        device_(std::move(device)) {}

  std::string_view name() const override { return "scan"; }

  std::vector<Nominated> nominate(const SketchView& view, std::span<const EngineQuery> queries,
                                  const Wanted& wanted) const override {
    if (device_) {
      std::vector<Part> part = prepared(queries, wanted.most, 1);
      if (device_->run([&](DeviceRows& rows) { search(rows, view, part[0]); })) {
        return merged(queries, part);
      }
    }
    const std::uint64_t rows = view.end() * queries.size();
    const std::size_t count = std::clamp<std::uint64_t>(rows / kRowsAThread, 1, threads_);
    std::vector<Part> parts = prepared(queries, wanted.most, count);
    run(view, parts);
    return merged(queries, parts);
  }

 private:
  static std::vector<Part> prepared(std::span<const EngineQuery> queries, std::size_t most,
                                    std::size_t count) {
    Part part;
    for (const EngineQuery& query : queries) {
      part.queries.push_back({query.one_bit, query.tag, query.except, Shortlist(most)});
      part.searched[query.tag] = 0;
    }
    return std::vector<Part>(count, part);
  }

  void run(const SketchView& view, std::vector<Part>& parts) const {
    const auto bound = [&](std::size_t i) { return view.end() * i / parts.size(); };
    const auto work = [&](std::size_t i) { search(view, bound(i), bound(i + 1), parts[i]); };
    in_threads(parts.size(), work);
  }

  static void search(DeviceRows& rows, const SketchView& view, Part& part) {
    const auto blocks_from = [&](Seq from) {
      return [&view, from](const auto& take) { view.visit(from, view.end(), take); };
    };
    rows.search(blocks_from(rows.follow(blocks_from(0))), part.queries);
    for (auto& [tag, count] : part.searched) count = view.count(tag);
  }

  void search(const SketchView& view, Seq from, Seq to, Part& part) const {
    const RowQueries queries(part.queries, shape_.one_bit_words());
    view.visit(from, to, [&](const SketchBlock& block) {
      for (auto& [tag, count] : part.searched) {
        count += static_cast<std::uint64_t>(std::count(block.tags, block.tags + block.count, tag));
      }
      scan_.add(block, queries);
      return true;
    });
  }

  std::vector<Nominated> merged(std::span<const EngineQuery> queries,
                                std::vector<Part>& parts) const {
    std::vector<Nominated> found(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      Shortlist& nearest = parts[0].queries[i].nearest;
      for (std::size_t p = 1; p < parts.size(); ++p) nearest.merge(parts[p].queries[i].nearest);
      found[i].documents = nearest.finish();
      for (const Part& part : parts) found[i].searched += part.searched.at(queries[i].tag);
      // All others differ in as many bits, so in as many values at least.
      if (nearest.full()) {
        found[i].most_equal_elsewhere = shape_.slots - found[i].documents.back().distance;
      }
    }
    return found;
  }

  SketchShape shape_;
  std::uint32_t threads_;
  RowScan scan_;
  std::unique_ptr<RetriedDevice<DeviceRows>> device_;  // null: there is none
};

}  // namespace

std::unique_ptr<SearchEngine> make_scan_engine(const SketchShape& shape, const CpuOptions& cpu,
                                               std::unique_ptr<RetriedDevice<DeviceRows>> device) {
  return std::make_unique<ScanEngine>(shape, cpu, std::move(device));
}

}  // namespace neardup
