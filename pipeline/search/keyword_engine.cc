#include "pipeline/search/keyword_engine.h"

#include <algorithm>
#include <utility>

#include "pipeline/base/in_threads.h"
#include "pipeline/search/keyword_part.h"
#include "pipeline/search/reach.h"
#include "storage/control_group.h"
#include "storage/store.h"

namespace neardup {
namespace {

// Fewer queries take less time than starting a thread.
constexpr std::size_t kQueriesAThread = 16;
// For fewer queries, launches and copies for each segment take longer than counting on the CPU does
// (an estimate from 0.1 ms a query on the CPU).
constexpr std::size_t kQueriesForDevice = 8;

using Segments = std::span<const std::shared_ptr<const Segment>>;

class KeywordEngine : public SearchEngine {
 public:
  KeywordEngine(const SketchShape& shape, const KeywordSearch& search,
                std::shared_ptr<KeywordIndex> index, const CpuOptions& cpu,
                std::unique_ptr<RetriedDevice<DeviceSegments>> device)
      : shape_(shape),
        search_(search),
        probes_(search.probes()),
        index_(std::move(index)),
        threads_(thread_count(cpu.threads)),
        scan_(cpu),
        device_(std::move(device)) {}

  std::string_view name() const override { return search_.engine; }

  std::vector<Nominated> nominate(const SketchView& view, std::span<const EngineQuery> queries,
                                  const Wanted& wanted) const override {
    index_->follow(view);
    const KeywordParts parts = index_->parts();
    const std::uint32_t limit = most_differing_bits(shape_.slots, wanted.min_similarity);
    const KeywordPass pass{view,       scan_, search_, probes_, limit, shape_.one_bit_words(),
                           wanted.most};
    std::vector<Shortlist> lists;
    const auto beside_device = [&](DeviceSegments& device) {
      lists = search_both(device, pass, parts, queries);
    };
    const bool worth_it = device_ && queries.size() >= kQueriesForDevice;
    if (!worth_it || !device_->run(beside_device)) {
      lists = search_on_cpu(pass, parts.segments, parts.tail, queries);
    }
    std::vector<Nominated> found;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      found.push_back(nominated(lists[i], limit));
      found.back().searched = view.count(queries[i].tag);
    }
    return found;
  }

 private:
  std::vector<Shortlist> search_on_cpu(const KeywordPass& pass, Segments segments,
                                       const TailView& tail,
                                       std::span<const EngineQuery> queries) const {
    const std::size_t threads =
        std::clamp<std::size_t>(queries.size() / kQueriesAThread, 1, threads_);
    std::vector<Shortlist> lists(queries.size(), Shortlist(pass.most));
    in_threads(threads, [&](std::size_t i) {
      const std::size_t from = queries.size() * i / threads;
      const auto own = queries.subspan(from, queries.size() * (i + 1) / threads - from);
      KeywordPart part(pass, own);
      for (const auto& segment : segments) part.add(*segment);
      part.add(tail);
      std::ranges::move(part.finish(), lists.begin() + static_cast<std::ptrdiff_t>(from));
    });
    return lists;
  }

  // The device has the segments that it holds, and the CPU the others meanwhile.
  std::vector<Shortlist> search_both(DeviceSegments& device, const KeywordPass& pass,
                                     const KeywordParts& parts,
                                     std::span<const EngineQuery> queries) const {
    device.follow(parts.segments, pass.view);
    std::vector<std::shared_ptr<const Segment>> held;
    std::vector<std::shared_ptr<const Segment>> others;
    for (const auto& segment : parts.segments) {
      (device.holds(*segment) ? held : others).push_back(segment);
    }
    std::vector<Shortlist> on_device;
    std::vector<Shortlist> on_cpu;
    in_threads(2, [&](std::size_t i) {
      if (i == 0) {
        on_device = search_on_device(device, pass, held, queries);
      } else {
        on_cpu = search_on_cpu(pass, others, parts.tail, queries);
      }
    });
    for (std::size_t i = 0; i < queries.size(); ++i) on_device[i].merge(on_cpu[i]);
    return on_device;
  }

  std::vector<Shortlist> search_on_device(DeviceSegments& device, const KeywordPass& pass,
                                          Segments segments,
                                          std::span<const EngineQuery> queries) const {
    KeywordPart part(pass, queries);
    const std::vector<std::uint16_t> keywords(part.keywords().begin(), part.keywords().end());
    std::vector<std::uint64_t> one_bits;
    for (const EngineQuery& query : queries) {
      one_bits.insert(one_bits.end(), query.one_bit, query.one_bit + pass.words);
    }
    const MatchQueries asked{static_cast<std::uint32_t>(queries.size()), keywords.data(),
                             one_bits.data(), search_.gate, pass.limit};
    for (const auto& segment : segments) part.add(*segment, device.reach(*segment, asked));
    return part.finish();
  }

  Nominated nominated(Shortlist& list, std::uint32_t limit) const {
    Nominated nominated;
    nominated.documents = list.finish();
    std::uint32_t differing = std::min(search_.least_differing(), limit + 1);
    if (list.full()) differing = std::min(differing, nominated.documents.back().distance);
    nominated.most_equal_elsewhere = shape_.slots - std::min(differing, shape_.slots);
    return nominated;
  }

  SketchShape shape_;
  KeywordSearch search_;
  std::vector<KeywordProbe> probes_;
  std::shared_ptr<KeywordIndex> index_;
  std::size_t threads_;
  RowScan scan_;
  std::unique_ptr<RetriedDevice<DeviceSegments>> device_;  // null: there is none
};

}  // namespace

std::unique_ptr<SearchEngine> make_keyword_engine(
    const SketchShape& shape, const KeywordSearch& search, std::shared_ptr<KeywordIndex> index,
    const CpuOptions& cpu, std::unique_ptr<RetriedDevice<DeviceSegments>> device) {
  return std::make_unique<KeywordEngine>(shape, search, std::move(index), cpu, std::move(device));
}

}  // namespace neardup
