// Removes most repeated elements from a list of shingle elements, for work whose result repeats do
// not change.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/cpu/kernels/kernels.h"

namespace neardup {

// Not thread-safe: each thread has its own.
class DistinctElements {
 public:
  // The elements of `set`, each at least once; `set` itself when more than `most` would be left.
  // Valid until the next call. Linear time for any elements. Requires: elements below 2^61 − 1;
  // most > 0.
  ElementSpan of(ElementSpan set, std::size_t most);

 private:
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint64_t> kept_;
};

}  // namespace neardup
