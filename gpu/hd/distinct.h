// A hash table that forgets: most repetitions of an element are found, and none is taken for
// another element.
#pragma once

#include "gpu/hd/arithmetic.h"

namespace neardup::hd {

inline constexpr u64 kNoElement = ~u64{0};
inline constexpr u32 kDistinctProbes = 4;  // places of the table behind the last, too

// Elements are spread evenly over [0, 2^61 − 1), so their top bits say where they go.
NEARDUP_HD u64 distinct_place(u64 element, u32 bits) { return element >> (61 - bits); }

// Whether `element` is among the places from `place` on, where it is put when it is not. Threads
// may meet in a place: then both keep what they have, and nothing is lost.
NEARDUP_HD bool seen_before(u64* place, u64 element) {
  for (u32 i = 0; i < kDistinctProbes; ++i) {
    if (place[i] == element) return true;
    if (place[i] == kNoElement) {
      place[i] = element;
      return false;
    }
  }
  *place = element;  // the one that stood here may be kept again
  return false;
}

}  // namespace neardup::hd
