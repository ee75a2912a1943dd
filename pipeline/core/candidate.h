// Documents that may be the original of another, before their rows are read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "pipeline/core/types.h"

namespace neardup {

// One that shares a bucket with the other, and its sketches as far as they are at hand.
struct Candidate {
  Seq seq = 0;
  const std::uint64_t* one_bit = nullptr;
  const std::uint64_t* sketch = nullptr;
};

// One that the filter lets through.
struct Nominee {
  Seq seq = 0;
  std::uint32_t most = 0;  // so many values of the two sketches are equal, or fewer
};

// Can the nominee be more similar than the best so far, or as similar and older? Only then its row
// has to be read.
inline bool may_beat(const Nominee& nominee, std::uint32_t best_count, Seq best) {
  return nominee.most > best_count || (nominee.most == best_count && nominee.seq < best);
}

// The one that is likely to be the most similar. Requires: there are some.
inline const Nominee& first_to_compare(std::span<const Nominee> nominees) {
  return *std::max_element(nominees.begin(), nominees.end(),
                           [](const Nominee& a, const Nominee& b) {
                             return a.most != b.most ? a.most < b.most : a.seq > b.seq;
                           });
}

}  // namespace neardup
