// Repetitions taken out of the elements of a document, for speed alone: a document that repeats few
// shingles needs many rounds to fill all bins, and each goes over all elements.
#pragma once

#include "gpu/cuda/piece.h"
#include "gpu/hd/distinct.h"

namespace neardup::cuda {

struct ElementList {
  const u64* data;
  u64 size;
};

// So many elements for each bin or more are worth it: fewer cost little in all rounds together.
inline constexpr u32 kManyElements = 8;

// Each element of `list` at least once, in `room`, which has list.size words or more; `list` itself
// where most are different. `kept` is memory of the group. Requires: list.size ≥ kManyElements.
template <class Group>
NEARDUP_HD ElementList distinct_elements(Group& group, ElementList list, u32 bins, u64* room,
                                         u32* kept) {
  // With as many different elements as bins a few rounds fill all: a larger table finds nothing
  // worth it.
  u32 bits = 1;
  while ((u64{2} << bits) <= list.size / 4 && (u64{1} << bits) < u64{kManyElements} * bins) ++bits;
  const u64 places = (u64{1} << bits) + hd::kDistinctProbes;
  u64* const out = room + places;
  const u64 most = list.size - places;
  group.each([&](u32 thread) {
    if (thread == 0) *kept = 0;
    for (u64 i = thread; i < places; i += Group::kThreads) room[i] = hd::kNoElement;
  });
  group.each([&](u32 thread) {
    for (u64 i = thread; i < list.size; i += Group::kThreads) {
      const u64 element = list.data[i];
      if (hd::seen_before(&room[hd::distinct_place(element, bits)], element)) continue;
      const u32 at = Group::atomic_add(kept, 1);
      if (at < most) out[at] = element;
    }
  });
  const u32 found = group.read(*kept);
  return found <= most ? ElementList{out, found} : list;
}

}  // namespace neardup::cuda
