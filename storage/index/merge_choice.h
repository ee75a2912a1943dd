// Which neighbouring generations are merged next.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "storage/generation/generation.h"

namespace neardup {

using Generations = std::vector<std::unique_ptr<Generation>>;  // by seq

// Generations [begin, end) of a list.
struct Neighbours {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool empty() const { return begin == end; }
};

// The oldest eight neighbours of one level, or as many of them (at least two) as fit into one
// generation, whose offsets from its first seq have 32 bits. Empty: nothing is to be merged.
Neighbours neighbours_to_merge(const Generations& all);

// The oldest generations with seqs from `from` on: as many as fit into one generation, at least
// one. Empty: there are none.
Neighbours all_neighbours(const Generations& all, Seq from);

}  // namespace neardup
