#include "storage/index/one_bit/sketch_runs.h"

#include <algorithm>
#include <utility>

namespace neardup {
namespace {

constexpr std::size_t kSketchesAhead =
    16;  // so many sketches are fetched before the first is visited

}  // namespace

SketchRuns::SketchRuns(std::vector<SketchRun> runs, std::uint32_t words_each)
    : runs_(std::move(runs)), words_each_(words_each) {
  if (runs_.empty()) return;
  first_run_ = runs_.front().first / kRunSeqs;
  by_number_.resize(runs_.back().first / kRunSeqs - first_run_ + 1);
  for (const SketchRun& run : runs_) by_number_[run.first / kRunSeqs - first_run_] = &run;
}

void SketchRuns::visit(Seq from, Seq to,
                       const std::function<bool(const SketchBlock&)>& visit) const {
  const auto begin = std::lower_bound(
      runs_.begin(), runs_.end(), from / kRunSeqs,
      [](const SketchRun& run, std::uint64_t number) { return run.first / kRunSeqs < number; });
  for (auto run = begin; run != runs_.end() && run->first < to; ++run) {
    const Seq start = run->first / kRunSeqs * kRunSeqs;
    const Seq first = std::max(from, run->first);
    const Seq end = std::min(to, start + kRunSeqs);
    if (first >= end) continue;
    const SketchBlock block{first, static_cast<std::uint32_t>(end - first), words_each_,
                            run->words.get() + (first - start) * words_each_,
                            run->tags->data() + (first - start)};
    if (!visit(block)) return;
  }
}

void SketchRuns::look_up(std::span<const Seq> seqs, const SketchView::VisitSketch& visit) const {
  struct Place {
    const NamespaceTag* tag = nullptr;
    const std::uint64_t* words = nullptr;
  };
  std::array<Place, kSketchesAhead> ahead;
  for (std::size_t begin = 0; begin < seqs.size(); begin += kSketchesAhead) {
    const std::size_t count = std::min(kSketchesAhead, seqs.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const Seq seq = seqs[begin + i];
      const SketchRun* run = run_of(seq);
      ahead[i] = {};
      if (run == nullptr || seq < run->first) continue;
      ahead[i] = {&(*run->tags)[seq % kRunSeqs], run->words.get() + (seq % kRunSeqs) * words_each_};
      __builtin_prefetch(ahead[i].tag);
      __builtin_prefetch(ahead[i].words);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const NamespaceTag tag = ahead[i].tag == nullptr ? 0 : *ahead[i].tag;
      visit(begin + i, tag, ahead[i].words);
    }
  }
}

}  // namespace neardup
