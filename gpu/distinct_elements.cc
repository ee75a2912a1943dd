#include "gpu/distinct_elements.h"

#include <algorithm>
#include <bit>

namespace neardup {
namespace {

constexpr std::uint64_t kNone = ~std::uint64_t{0};
constexpr std::size_t kProbes = 4;

// Whether `x` is among the kProbes places from `place` on, where it is put when it is not.
bool seen_before(std::uint64_t* place, std::uint64_t x) {
  for (std::size_t i = 0; i < kProbes; ++i) {
    if (place[i] == x) return true;
    if (place[i] == kNone) {
      place[i] = x;
      return false;
    }
  }
  *place = x;  // the one that stood here may be kept again
  return false;
}

}  // namespace

// A hash table that forgets. Elements are spread evenly over [0, 2^61 − 1), so their top bits say
// where they go.
ElementSpan DistinctElements::of(ElementSpan set, std::size_t most) {
  most = std::min(most, set.size);
  const auto bits = static_cast<int>(std::bit_width(2 * most - 1));
  seen_.assign((std::size_t{1} << bits) + kProbes, kNone);
  kept_.clear();
  for (std::size_t i = 0; i < set.size; ++i) {
    if (seen_before(seen_.data() + (set.data[i] >> (61 - bits)), set.data[i])) continue;
    if (kept_.size() == most) return set;
    kept_.push_back(set.data[i]);
  }
  return {kept_.data(), kept_.size()};
}

}  // namespace neardup
