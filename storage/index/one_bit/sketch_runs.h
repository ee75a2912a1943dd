// Packed 1-bit sketches in memory, in runs of kRunSeqs seqs, as the table shares them with views.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "storage/generation/format.h"
#include "storage/sketch_view.h"

namespace neardup {

// The tags of the seqs [n × kRunSeqs, (n + 1) × kRunSeqs) of run n.
using RunTags = std::array<NamespaceTag, kRunSeqs>;

// The sketches of up to kRunSeqs seqs. Views share them with the table: words of seqs that a view
// may read are never changed, and shared tags are replaced by a copy.
struct SketchRun {
  Seq first = 0;  // earlier ones are not in memory
  std::shared_ptr<std::uint64_t[]> words;
  std::shared_ptr<RunTags> tags;
};

class SketchRuns {
 public:
  // `runs` are ascending. A sketch has `words_each` words.
  SketchRuns(std::vector<SketchRun> runs, std::uint32_t words_each);
  SketchRuns(const SketchRuns&) = delete;
  SketchRuns& operator=(const SketchRuns&) = delete;

  bool empty() const { return runs_.empty(); }
  // The first seq in memory. Requires: not empty.
  Seq first() const { return runs_.front().first; }

  // Calls visit(block) for the blocks of the seqs in [from, to), ascending, until it returns false.
  void visit(Seq from, Seq to, const std::function<bool(const SketchBlock&)>& visit) const;

  // Calls visit(i, tag, words) for each of the seqs, in their order; tag 0 for the ones that are
  // not here.
  void look_up(std::span<const Seq> seqs, const SketchView::VisitSketch& visit) const;

 private:
  const SketchRun* run_of(Seq seq) const {
    const std::uint64_t run = seq / kRunSeqs - first_run_;
    return run < by_number_.size() ? by_number_[run] : nullptr;
  }

  std::vector<SketchRun> runs_;
  std::uint32_t words_each_;
  std::uint64_t first_run_ = 0;
  std::vector<const SketchRun*> by_number_;  // from first_run_ on; null: not in memory
};

}  // namespace neardup
