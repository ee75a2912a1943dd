// Hits of many queries, as kernels find them: a list for each, filled in any order.
#pragma once

#include "gpu/cuda/group.h"

namespace neardup::cuda {

// Hit i of list q is hits[i · lists + q]: the first hits of all lists lie together, so that one
// copy of the first rows takes all that there are.
template <class Hit>
struct HitLists {
  Hit* hits;    // room × lists
  u32* counts;  // of each list, zeros at the start. Above `room`: so many were found, not all kept.
  u32 lists;
  u32 room;

  NEARDUP_HD Hit& at(u32 list, u32 i) const { return hits[u64{i} * lists + list]; }
  NEARDUP_HD u32 kept(u32 list) const { return counts[list] < room ? counts[list] : room; }

  template <class Group>
  NEARDUP_HD void append(u32 list, const Hit& hit) const {
    const u32 i = Group::atomic_add(counts + list, 1);
    if (i < room) at(list, i) = hit;
  }
};

}  // namespace neardup::cuda
