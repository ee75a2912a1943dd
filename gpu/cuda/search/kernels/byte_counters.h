// 8-bit counters of places, in memory of the group or of the device. Four lie in a word, because
// atomics take words.
#pragma once

#include "gpu/cuda/group.h"

namespace neardup::cuda {

// Requires of all sums: no counter exceeds 255, or it would run into its neighbour.
struct ByteCounters {
  u32* words;

  static NEARDUP_HD u32 words_of(u32 places) { return places / 4 + (places % 4 != 0); }

  // Returns what the counter was.
  template <class Group>
  NEARDUP_HD u32 add(u32 place, u32 weight) const {
    const u32 shift = place % 4 * 8;
    return Group::atomic_add(words + place / 4, weight << shift) >> shift & 0xff;
  }
  // Also the neighbours in the same word.
  NEARDUP_HD void clear(u32 place) const { words[place / 4] = 0; }
};

// All counters of the group's own.
template <class Group>
NEARDUP_HD void clear_words(Group& group, u32* words, u32 count) {
  group.each([&](u32 thread) {
    for (u32 i = thread; i < count; i += Group::kThreads) words[i] = 0;
  });
}

}  // namespace neardup::cuda
