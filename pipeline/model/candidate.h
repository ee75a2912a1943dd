// Documents that share a bucket with a query, before their rows are read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "pipeline/model/types.h"

namespace neardup {

// A candidate and those of its sketches that are in memory; null: not in memory.
struct Candidate {
  Seq seq = 0;
  const std::uint64_t* one_bit = nullptr;
  const std::uint64_t* sketch = nullptr;
};

// A candidate that passed the prefilter.
struct ScoredCandidate {
  Seq seq = 0;
  std::uint32_t max_equal = 0;  // an upper bound of the count of equal values
};

// Can the candidate be more similar than the best so far, or as similar and older? Only then its
// row has to be read.
inline bool may_beat(const ScoredCandidate& candidate, std::uint32_t best_count, Seq best) {
  return candidate.max_equal > best_count ||
         (candidate.max_equal == best_count && candidate.seq < best);
}

// The candidate with the largest bound; of several, the oldest. Requires: the list is not empty.
inline const ScoredCandidate& first_to_compare(std::span<const ScoredCandidate> candidates) {
  return *std::max_element(
      candidates.begin(), candidates.end(), [](const ScoredCandidate& a, const ScoredCandidate& b) {
        return a.max_equal != b.max_equal ? a.max_equal < b.max_equal : a.seq > b.seq;
      });
}

}  // namespace neardup
