#include "gpu/cpu/kernels/distinct_elements.h"

#include <algorithm>
#include <bit>

#include "gpu/hd/distinct.h"

namespace neardup {

ElementSpan DistinctElements::of(ElementSpan set, std::size_t most) {
  most = std::min(most, set.size);
  const auto bits = static_cast<std::uint32_t>(std::bit_width(2 * most - 1));
  seen_.assign((std::size_t{1} << bits) + hd::kDistinctProbes, hd::kNoElement);
  kept_.clear();
  for (std::size_t i = 0; i < set.size; ++i) {
    if (hd::seen_before(&seen_[hd::distinct_place(set.data[i], bits)], set.data[i])) continue;
    if (kept_.size() == most) return set;
    kept_.push_back(set.data[i]);
  }
  return {kept_.data(), kept_.size()};
}

}  // namespace neardup
