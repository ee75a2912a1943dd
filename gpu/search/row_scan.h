// Exact nearest neighbours of 1-bit sketches: every row is compared, by XOR and parallel bit
// counting (Løvstad, after Knudsen).
#pragma once

#include <span>

#include "gpu/cpu/kernels/kernels.h"
#include "gpu/options.h"
#include "gpu/search/shortlist.h"
#include "pipeline/core/sketch_block.h"

namespace neardup {

// One query and its nearest rows so far.
struct RowQuery {
  const std::uint64_t* one_bit = nullptr;  // not owned; as many words as a row has
  NamespaceTag tag = 0;                    // other rows are skipped
  Seq except = 0;                          // so is the row of this seq
  Shortlist nearest;
};

class RowScan {
 public:
  // Throws Failure(kConfig) when this machine lacks cpu.simd.
  explicit RowScan(const CpuOptions& cpu);

  // Offers the rows of a block to all queries. Requires: seqs above those of the blocks that these
  // queries have seen. May be called from several threads, each with its own queries.
  void add(const SketchBlock& block, std::span<RowQuery> queries) const;

  // The differing bits of two rows of `words` words.
  std::uint32_t distance(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) const {
    return kernels_->hamming_hardware(a, b, words);
  }

 private:
  const Kernels* kernels_;
};

}  // namespace neardup
