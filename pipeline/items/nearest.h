// The items that are nearest to a query by a distance. Match-counts name candidates, distances
// decide.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gpu/search/dense_match.h"
#include "pipeline/items/columns.h"

namespace neardup {

struct ItemSearchOptions {
  std::uint32_t k = 10;
  // By match-count, before distances are looked at; at least k are taken. 0: 32 for strings, 1 000
  // for vectors.
  std::uint32_t candidates = 0;
  std::uint32_t candidates_or(std::uint32_t usual) const {
    return std::max(k, candidates == 0 ? usual : candidates);
  }
  bool exact = true;  // strings: continue until the answer is certain
  double max_distance = std::numeric_limits<double>::infinity();  // of a hit
  std::uint32_t threads = 1;
};

// Ordered by distance, then by item.
struct NearItem {
  double distance = 0;
  std::uint32_t item = 0;
  bool operator==(const NearItem&) const = default;
  auto operator<=>(const NearItem&) const = default;
};

struct NearestItems {
  std::vector<NearItem> hits;
  bool certain =
      false;  // proven: no other item is nearer than the last hit, nor as near and before
  bool by_candidates = false;  // … from the first candidates alone
};

// Strings by edit distance. `queries` are the keywords of `values`.
std::vector<NearestItems> nearest_strings(const StringColumn& strings,
                                          const DensePostings& postings,
                                          std::span<const DenseQuery> queries,
                                          std::span<const FieldValue* const> values,
                                          const ItemSearchOptions& options);

// Vectors by the distance of their column, among the candidates alone.
std::vector<NearestItems> nearest_vectors(const FieldColumn& vectors, const DensePostings& postings,
                                          std::span<const DenseQuery> queries,
                                          std::span<const FieldValue* const> values,
                                          const ItemSearchOptions& options);

}  // namespace neardup
