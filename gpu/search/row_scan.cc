#include "gpu/search/row_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "gpu/cpu/simd_level.h"

namespace neardup {
namespace {

// A tile of rows stays in the first-level cache while all queries pass by it.
constexpr std::uint32_t kTileWords = 2048;

void offer(const SketchBlock& block, std::uint32_t place, std::uint32_t distance, RowQuery& query) {
  const Seq seq = block.first + place;
  if (block.tags[place] == query.tag && seq != query.except) query.nearest.offer(distance, seq);
}

}  // namespace

RowScan::RowScan(const CpuOptions& cpu) : kernels_(&kernels(resolve_simd(cpu.simd))) {}

void RowScan::add(const SketchBlock& block, const RowQueries& queries) const {
  add_rows(block, queries.are_many() ? add_slices(block, queries) : 0, queries.all());
}

std::uint32_t RowScan::add_slices(const SketchBlock& block, const RowQueries& queries) const {
  const auto rows = static_cast<std::uint32_t>(kernels_->rows_of_slice);
  std::vector<std::uint64_t> planes(kMostPlanes * rows / 64);
  std::vector<std::uint64_t> near(rows / 64);
  std::uint32_t begin = 0;
  for (; begin + rows <= block.count; begin += rows) {
    kernels_->slice_rows(block.words + std::size_t{begin} * block.words_each, block.words_each,
                         planes.data());
    for (std::size_t i = 0; i < queries.all().size(); ++i) {
      RowQuery& query = queries.all()[i];
      kernels_->near_slice(planes.data(), block.words_each, queries.planes(i),
                           query.nearest.limit(), near.data());
      offer_near(block, begin, near, query);
    }
  }
  return begin;
}

// `near`: a bit for each row from `begin` on.
void RowScan::offer_near(const SketchBlock& block, std::uint32_t begin,
                         std::span<const std::uint64_t> near, RowQuery& query) const {
  for (std::size_t word = 0; word < near.size(); ++word) {
    for (std::uint64_t left = near[word]; left != 0; left &= left - 1) {
      const auto place = static_cast<std::uint32_t>(
          begin + 64 * word + static_cast<std::size_t>(std::countr_zero(left)));
      const std::uint64_t* row = block.words + std::size_t{place} * block.words_each;
      offer(block, place, distance(row, query.one_bit, block.words_each), query);
    }
  }
}

void RowScan::add_rows(const SketchBlock& block, std::uint32_t begin,
                       std::span<RowQuery> queries) const {
  std::array<NearRow, kTileWords> near;
  const std::uint32_t tile = kTileWords / block.words_each;
  for (; begin < block.count; begin += tile) {
    const std::uint32_t count = std::min(tile, block.count - begin);
    const std::uint64_t* rows = block.words + std::size_t{begin} * block.words_each;
    for (RowQuery& query : queries) {
      const std::size_t found = kernels_->near_rows(rows, count, block.words_each, query.one_bit,
                                                    query.nearest.limit(), near.data());
      for (const NearRow& row : std::span(near).first(found)) {
        offer(block, begin + row.row, row.distance, query);
      }
    }
  }
}

}  // namespace neardup
