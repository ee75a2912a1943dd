// Most repetitions taken out of a list of shingle elements, for work whose result they don't
// change.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/cpu/kernels/kernels.h"

namespace neardup {

// Not safe for several threads: each has its own.
class DistinctElements {
 public:
  // Each element at least once, valid until the next call; `set` itself when more than `most` are
  // left. Linear, whatever the elements are. Requires: elements below 2^61 − 1; most > 0.
  ElementSpan of(ElementSpan set, std::size_t most);

 private:
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint64_t> kept_;
};

}  // namespace neardup
