#include "gpu/search/row_queries.h"

#include <bit>

namespace neardup {
namespace {

// Fewer do not earn back the time that it takes to store rows as bit planes.
constexpr std::size_t kManyQueries = 8;

}  // namespace

RowQueries::RowQueries(std::span<RowQuery> queries, std::uint32_t words_each) : queries_(queries) {
  if (queries.size() < kManyQueries || words_each > kMostSlicedWords) return;
  begins_.push_back(0);
  for (const RowQuery& query : queries) list_planes(query.one_bit, words_each);
}

void RowQueries::list_planes(const std::uint64_t* one_bit, std::uint32_t words) {
  for (std::uint32_t word = 0; word < words; ++word) {
    for (std::uint64_t left = one_bit[word]; left != 0; left &= left - 1) {
      planes_.push_back(static_cast<std::uint16_t>(
          64 * word + static_cast<std::uint32_t>(std::countr_zero(left))));
    }
  }
  const std::size_t ones = planes_.size() - begins_.back();
  const std::size_t zeros = (kPlanesAtOnce - ones % kPlanesAtOnce) % kPlanesAtOnce;
  planes_.insert(planes_.end(), zeros, static_cast<std::uint16_t>(64 * words));
  ones_.push_back(static_cast<std::uint32_t>(ones));
  begins_.push_back(planes_.size());
}

}  // namespace neardup
