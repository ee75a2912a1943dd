// Random signatures with planted neighbours: what GENIE (Zhou et al. 2018) indexes after hashing.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "storage/large_pages.h"

namespace neardup::bench {

// The similarities of the neighbours of each query.
inline constexpr std::array<double, 10> kNeighbours{.95, .9, .85, .8, .75, .7, .6, .5, .4, .3};

// Rows of `functions` values below `range`, uniform and independent. Each query has
// kNeighbours.size() objects as neighbours: a value is equal with the chance of the similarity.
// Rows are padded with zeros to `stride` values. Value: an unsigned type that holds range − 1.
template <class Value>
class Signatures {
 public:
  static constexpr std::uint32_t kLane = 64;  // values; rows have a multiple

  // Requires: objects >= queries · kNeighbours.size().
  Signatures(std::uint32_t objects, std::uint32_t functions, std::uint32_t range,
             std::uint32_t queries);

  std::uint32_t objects() const { return objects_; }
  std::uint32_t functions() const { return functions_; }
  std::uint32_t range() const { return range_; }
  std::uint32_t stride() const { return stride_; }
  std::uint32_t queries() const { return queries_; }
  const Value* object(std::uint32_t i) const { return &rows_[std::size_t{i} * stride_]; }
  const Value* query(std::uint32_t i) const { return &asked_[std::size_t{i} * stride_]; }
  // The neighbour of query `i` with similarity kNeighbours[j].
  std::uint32_t neighbour(std::uint32_t i, std::size_t j) const {
    return places_[i * kNeighbours.size() + j];
  }

 private:
  using Rows = std::vector<Value, OnLargePages<Value>>;

  void plant();

  std::uint32_t objects_;
  std::uint32_t functions_;
  std::uint32_t range_;
  std::uint32_t stride_;
  std::uint32_t queries_;
  Rows rows_;
  Rows asked_;
  std::vector<std::uint32_t> places_;
};

extern template class Signatures<std::uint8_t>;
extern template class Signatures<std::uint16_t>;

}  // namespace neardup::bench
