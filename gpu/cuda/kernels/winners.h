// Elements → winning values, in memory of the group or of the device. Winners are minima, so
// threads may update them in any order.
#pragma once

#include "gpu/cuda/kernels/distinct.h"
#include "gpu/hd/fast_similarity.h"

namespace neardup::cuda {

template <class Group>
NEARDUP_HD void clear_winners(Group& group, const Parameters& how, u64* winners) {
  group.each([&](u32 thread) {
    for (u32 slot = thread; slot < how.slots; slot += Group::kThreads) {
      winners[slot] = hd::kEmptyBin;
    }
  });
}

template <class Group>
NEARDUP_HD void offer(u64* winner, u64 value) {
  if (value < *winner) Group::atomic_min(winner, value);
}

// Rounds first … last − 1 of the fast similarity sketch. Requires: (last − first) · set_size <
// 2^31, because 64-bit divisions would take longer than the hash.
template <class Group>
NEARDUP_HD void throw_rounds(Group& group, const Parameters& how, u32 first, u32 last,
                             const u64* elements, u64 set_size, u64* winners) {
  const u32 count = static_cast<u32>(set_size);
  const u32 total = (last - first) * count;
  group.each([&](u32 thread) {
    for (u32 i = thread; i < total; i += Group::kThreads) {
      const u32 round = first + i / count;
      const u64 hash = hd::round_hash(elements[i % count], how.round_keys[round]);
      offer<Group>(&winners[hd::bin_of(hash, how.slots)], hd::bin_value(hash, round));
    }
  });
}

// Whether a bin is empty. `flag` is memory of the group.
template <class Group>
NEARDUP_HD bool has_empty(Group& group, const Parameters& how, const u64* winners, u32* flag) {
  group.each([&](u32 thread) {
    if (thread == 0) *flag = 0;
  });
  group.each([&](u32 thread) {
    for (u32 slot = thread; slot < how.slots; slot += Group::kThreads) {
      if (winners[slot] == hd::kEmptyBin) *flag = 1;
    }
  });
  return group.read(*flag) != 0;
}

// Bins that are empty after the last common round take the smallest value of a separate round.
template <class Group>
NEARDUP_HD void fill_late(Group& group, const Parameters& how, const u64* elements, u64 count,
                          u64* winners) {
  group.each([&](u32 thread) {
    for (u32 slot = thread; slot < how.slots; slot += Group::kThreads) {
      if (winners[slot] != hd::kEmptyBin) continue;
      const u32 round = how.slots + slot;
      u64 smallest = hd::kEmptyBin;
      for (u64 i = 0; i < count; ++i) {
        const u64 value = hd::bin_value(hd::round_hash(elements[i], how.round_keys[round]), round);
        smallest = value < smallest ? value : smallest;
      }
      winners[slot] = smallest;
    }
  });
}

// Runs rounds from `round` on until no bin is empty. Surplus rounds change nothing, so a small set
// runs several at once. Repeats change nothing either, so a large set is reduced to distinct
// elements when one round was not enough. `room` has a word for each element.
template <class Group>
NEARDUP_HD void finish_fast_similarity(Group& group, const Parameters& how, u32 round,
                                       ElementList set, u64* room, u64* winners, u32* word) {
  bool as_given = set.size >= u64{kManyElements} * how.slots;
  while (has_empty(group, how, winners, word)) {
    if (as_given && round > 0) {
      set = distinct_elements(group, set, how.slots, room, word);
      as_given = false;
    }
    if (round >= how.slots) return fill_late(group, how, set.data, set.size, winners);
    const u64 wanted = 4 * u64{Group::kThreads} / set.size;
    const u32 at_once = wanted > 1 ? static_cast<u32>(wanted) : 1;
    const u32 last = how.slots - round < at_once ? how.slots : round + at_once;
    throw_rounds(group, how, round, last, set.data, set.size, winners);
    round = last;
  }
}

// Each thread computes whole functions, so no two threads write the same winner.
template <class Group, class Value>
NEARDUP_HD void minima(Group& group, const Parameters& how, const u64* elements, u64 count,
                       u64* winners, Value value) {
  group.each([&](u32 thread) {
    for (u32 j = thread; j < how.slots; j += Group::kThreads) {
      u64 smallest = winners[j];
      for (u64 i = 0; i < count; ++i) {
        const u64 hash = value(j, elements[i]);
        smallest = hash < smallest ? hash : smallest;
      }
      winners[j] = smallest;
    }
  });
}

NEARDUP_HD u64 mod_universe(const Parameters& how, u64 hash) {
  return how.universe == 0 ? hash : hash % how.universe;
}

template <class Group>
NEARDUP_HD void minhash(Group& group, const Parameters& how, const u64* elements, u64 count,
                        u64* winners) {
  switch (how.hash) {
    case MinhashHash::k2u:
      return minima(group, how, elements, count, winners,
                    [&](u32 j, u64 x) { return mod_universe(how, how.two_universal[j].value(x)); });
    case MinhashHash::k4u:
      return minima(group, how, elements, count, winners, [&](u32 j, u64 x) {
        return mod_universe(how, how.four_universal[j].value(x));
      });
    case MinhashHash::kMs32:
      return minima(group, how, elements, count, winners,
                    [&](u32 j, u64 x) { return how.multiply_shift[j].value(x); });
    case MinhashHash::kPermutation:
      return minima(group, how, elements, count, winners, [&](u32 j, u64 x) {
        return hd::Permutations{how.permutations, how.slots}.value(j, x);
      });
  }
}

// The contribution of a segment of a long document: one round, or all functions.
template <class Group>
NEARDUP_HD void add_elements(Group& group, const Parameters& how, const u64* elements, u64 count,
                             u64* winners) {
  if (how.family == SketchFamily::kMinhash) {
    minhash(group, how, elements, count, winners);
  } else {
    throw_rounds(group, how, 0, 1, elements, count, winners);
  }
}

}  // namespace neardup::cuda
