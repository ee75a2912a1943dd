// Values of units → shingle elements (docs/formats/sketch.md, "Shingles").
#pragma once

#include "gpu/cuda/piece.h"

namespace neardup::cuda {

// Shingles of more units than this are rolled along a run; shorter ones cost less to sum afresh.
inline constexpr u32 kMostSummed = 8;

NEARDUP_HD u64 in_universe(const Parameters& how, u64 element) {
  return how.family == SketchFamily::kMinhash ? hd::into_universe(element, how.universe) : element;
}

// Elements [first, last) of a document with so many units.
template <class Group>
NEARDUP_HD void make_elements(Group& group, const Parameters& how, const u64* values, u64 units,
                              u64 first, u64 last, u64* elements) {
  const u64 w = how.shingle_size < units ? how.shingle_size : units;
  const u64 run = w <= kMostSummed ? 1 : w;
  group.each([&](u32 thread) {
    for (u64 begin = first + thread * run; begin < last; begin += Group::kThreads * run) {
      const u64 end = begin + run < last ? begin + run : last;
      u64 shingle = hd::shingle_of(how.base, values + begin, w);
      elements[begin] = in_universe(how, shingle);
      for (u64 i = begin + 1; i < end; ++i) {
        shingle = hd::roll(shingle, values[i + w - 1], values[i - 1], how.base, how.base_to_w);
        elements[i] = in_universe(how, shingle);
      }
    }
  });
}

}  // namespace neardup::cuda
