#include "gpu/search/row_scan.h"

#include <algorithm>
#include <array>

#include "gpu/cpu/simd_level.h"

namespace neardup {
namespace {

// A tile of rows stays in the first-level cache while all queries pass by it.
constexpr std::uint32_t kTileWords = 2048;

}  // namespace

RowScan::RowScan(const CpuOptions& cpu) : kernels_(&kernels(resolve_simd(cpu.simd))) {}

void RowScan::add(const SketchBlock& block, std::span<RowQuery> queries) const {
  std::array<NearRow, kTileWords> near;
  const std::uint32_t tile = kTileWords / block.words_each;
  for (std::uint32_t begin = 0; begin < block.count; begin += tile) {
    const std::uint32_t count = std::min(tile, block.count - begin);
    const std::uint64_t* rows = block.words + std::size_t{begin} * block.words_each;
    for (RowQuery& query : queries) {
      const std::size_t found = kernels_->near_rows(rows, count, block.words_each, query.one_bit,
                                                    query.nearest.limit(), near.data());
      for (const NearRow& row : std::span(near).first(found)) {
        const std::uint32_t place = begin + row.row;
        const Seq seq = block.first + place;
        if (block.tags[place] == query.tag && seq != query.except) {
          query.nearest.offer(row.distance, seq);
        }
      }
    }
  }
}

}  // namespace neardup
