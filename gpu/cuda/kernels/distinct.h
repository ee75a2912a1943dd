// Removes repeated elements of a document, only for speed: a document that repeats few shingles
// needs many rounds to fill all bins, and each round visits all elements.
#pragma once

#include "gpu/cuda/piece.h"
#include "gpu/hd/distinct.h"

namespace neardup::cuda {

struct ElementList {
  const u64* data;
  u64 size;
};

// Removing repeats pays from this many elements per bin on: all rounds over fewer cost little.
inline constexpr u32 kManyElements = 8;

// The elements of `list`, each at least once, in `room`, which has list.size words or more; `list`
// itself when most are distinct. `kept` is memory of the group. Requires: list.size ≥
// kManyElements.
template <class Group>
NEARDUP_HD ElementList distinct_elements(Group& group, ElementList list, u32 bins, u64* room,
                                         u32* kept) {
  // With several distinct elements per bin, a few rounds fill all bins: a larger table would not
  // pay.
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
