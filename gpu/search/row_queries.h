// Queries that a scan compares with the same rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/cpu/kernels/kernels.h"
#include "gpu/search/shortlist.h"
#include "pipeline/model/sketch_block.h"

namespace neardup {

// One query and its nearest rows so far.
struct RowQuery {
  const std::uint64_t* one_bit = nullptr;  // not owned; as many words as a row has
  NamespaceTag tag = 0;                    // other rows are skipped
  Seq except = 0;                          // so is the row of this seq
  Shortlist nearest;
};

// Of many queries, the set bits are listed once for all rows.
class RowQueries {
 public:
  // Requires: `queries` outlives this; rows of `words_each` words.
  RowQueries(std::span<RowQuery> queries, std::uint32_t words_each);

  std::span<RowQuery> all() const { return queries_; }

  // Whether there are enough queries to store rows as bit planes for them.
  bool are_many() const { return !begins_.empty(); }
  // Requires: are_many().
  PlanesOfQuery planes(std::size_t query) const {
    return {planes_.data() + begins_[query], begins_[query + 1] - begins_[query], ones_[query]};
  }

 private:
  void list_planes(const std::uint64_t* one_bit, std::uint32_t words);

  std::span<RowQuery> queries_;
  std::vector<std::uint16_t> planes_;
  std::vector<std::size_t> begins_;  // of each query's planes, and the end
  std::vector<std::uint32_t> ones_;
};

}  // namespace neardup
