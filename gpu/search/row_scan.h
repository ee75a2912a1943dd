// Exact nearest neighbours of 1-bit sketches: every row is compared, by XOR and parallel bit
// counting (Løvstad, after Knudsen).
#pragma once

#include <span>

#include "gpu/cpu/kernels/kernels.h"
#include "gpu/options.h"
#include "gpu/search/row_queries.h"
#include "pipeline/model/sketch_block.h"

namespace neardup {

class RowScan {
 public:
  // Throws Failure(kConfig) when this machine lacks cpu.simd.
  explicit RowScan(const CpuOptions& cpu);

  // Offers the rows of a block to all queries. Requires: seqs above those of the blocks that these
  // queries have seen. May be called from several threads, each with its own queries.
  void add(const SketchBlock& block, const RowQueries& queries) const;

  // The differing bits of two rows of `words` words.
  std::uint32_t distance(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) const {
    return kernels_->hamming_hardware(a, b, words);
  }

 private:
  // Returns how many rows there are in whole slices; the others are left.
  std::uint32_t add_slices(const SketchBlock& block, const RowQueries& queries) const;
  void offer_near(const SketchBlock& block, std::uint32_t begin,
                  std::span<const std::uint64_t> near, RowQuery& query) const;
  void add_rows(const SketchBlock& block, std::uint32_t begin, std::span<RowQuery> queries) const;

  const Kernels* kernels_;
};

}  // namespace neardup
