// The seqs of rows that lie one behind the other.
#pragma once

#include <algorithm>
#include <vector>

#include "gpu/cuda/search/kernels/scan_rows.h"
#include "pipeline/model/types.h"

namespace neardup::cuda {

class RowSeqs {
 public:
  // Adds rows of consecutive seqs. Requires: seqs above the present ones.
  void add(Seq first, u32 rows) {
    if (rows == 0) return;
    if (runs_.empty() || runs_.back().first + (count_ - runs_.back().row) != first) {
      runs_.push_back({count_, first});
    }
    count_ += rows;
  }
  void clear() {
    runs_.clear();
    count_ = 0;
  }

  u32 count() const { return count_; }

  // Requires: row < count().
  Seq seq(u32 row) const {
    const auto after = std::upper_bound(runs_.begin(), runs_.end(), row,
                                        [](u32 at, const Run& run) { return at < run.row; });
    return (after - 1)->first + (row - (after - 1)->row);
  }

  // The first row whose seq is not below `seq`; count() when there is none.
  u32 first_from(Seq seq) const {
    const auto after = std::upper_bound(runs_.begin(), runs_.end(), seq,
                                        [](Seq at, const Run& run) { return at < run.first; });
    const u32 next = after == runs_.end() ? count_ : after->row;
    if (after == runs_.begin()) return next;
    const Run& run = *(after - 1);
    return static_cast<u32>(std::min<u64>(run.row + (seq - run.first), next));
  }

  // kNoRow: no row has this seq.
  u32 row(Seq seq) const {
    const u32 row = first_from(seq);
    return row < count_ && this->seq(row) == seq ? row : kNoRow;
  }

 private:
  struct Run {  // up to the next one
    u32 row;
    Seq first;
  };
  std::vector<Run> runs_;
  u32 count_ = 0;
};

}  // namespace neardup::cuda
