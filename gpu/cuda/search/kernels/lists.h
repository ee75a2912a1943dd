// Lists of postings, walked by a group as if they were one, so that all threads have the same work
// however long each list is. GENIE (Zhou et al. 2018, section 3) cuts long lists to balance loads.
#pragma once

#include "gpu/cuda/group.h"

namespace neardup::cuda {

template <class Place>
struct List {
  const Place* begin;
  u32 size;
};

// Memory of the group that a walk needs, aligned to 8 bytes.
inline constexpr u32 kWalkBytes = kBlock * 8 + kSumWords * 4;

// Calls visit(i, place) for each place of each list i = list_of(i) below `lists`, in any order;
// returns how many. Requires: any kBlock neighbouring lists have fewer than 2^32 places.
template <class Place, class Group, class ListOf, class Visit>
NEARDUP_HD u64 walk_lists(Group& group, char* memory, u32 lists, ListOf list_of, Visit visit) {
  const Place** const begins = reinterpret_cast<const Place**>(memory);
  u32* const firsts = reinterpret_cast<u32*>(begins + Group::kThreads);
  u64 walked = 0;
  for (u32 from = 0; from < lists; from += Group::kThreads) {
    const u32 count = lists - from < Group::kThreads ? lists - from : Group::kThreads;
    group.each([&](u32 thread) {
      const List<Place> list = thread < count ? list_of(from + thread) : List<Place>{nullptr, 0};
      begins[thread] = list.begin;
      firsts[thread] = list.size;
    });
    const u32 places = group.exclusive_sums(firsts);
    group.each([&](u32 thread) {
      u32 list = 0;
      for (u32 at = thread; at < places; at += Group::kThreads) {
        while (list + 1 < count && firsts[list + 1] <= at) ++list;
        visit(from + list, begins[list][at - firsts[list]]);
      }
    });
    walked += places;
  }
  return walked;
}

}  // namespace neardup::cuda
