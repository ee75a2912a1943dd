// A lossy hash set: it finds most repeats of an element, and never takes two different elements for
// the same.
#pragma once

#include "gpu/hd/arithmetic.h"

namespace neardup::hd {

inline constexpr u64 kNoElement = ~u64{0};
inline constexpr u32 kDistinctProbes = 4;  // also the number of extra places at the table's end

// Elements are distributed evenly over [0, 2^61 − 1), so their top bits select the place.
NEARDUP_HD u64 distinct_place(u64 element, u32 bits) { return element >> (61 - bits); }

// Whether `element` is in the kDistinctProbes places from `place` on; inserts it when it is not.
// When threads race for a place, each takes its element for new, so no element is lost.
NEARDUP_HD bool seen_before(u64* place, u64 element) {
  for (u32 i = 0; i < kDistinctProbes; ++i) {
    if (place[i] == element) return true;
    if (place[i] == kNoElement) {
      place[i] = element;
      return false;
    }
  }
  *place = element;  // the element that is replaced may later be kept again
  return false;
}

}  // namespace neardup::hd
