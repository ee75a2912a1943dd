// The kernels that compare packed rows: candidate pairs, and one small query with a whole array.
#pragma once

#include "gpu/cuda/group.h"
#include "gpu/hd/bit_count.h"

namespace neardup::cuda {

// PairLists in the memory of the kernels.
struct Pairs {
  const u64* queries;
  const u64* rows;
  const u32* first;  // query_count + 1
  const u32* candidates;
  u32* counts;
  u32 query_count;
  u32 count;  // of candidates
  u32 words;  // of a row
  u32 bits;   // of a value; 1 for 1-bit sketches
  u32 unused_fields;
};

// The number of the list that has candidate `at`. Requires: first[0] ≤ at < first[lists].
NEARDUP_HD u32 list_of(const u32* first, u32 lists, u32 at) {
  u32 begin = 0;
  for (u32 end = lists; end - begin > 1;) {
    const u32 middle = begin + (end - begin) / 2;
    (first[middle] <= at ? begin : end) = middle;
  }
  return begin;
}

// One pair per thread, so that all threads do the same work for any lengths of the lists.
struct CountPairs {
  static constexpr u32 kThreads = kBlock;
  Pairs pairs;

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    group.each([&](u32 thread) {
      const u64 at = u64{index} * Group::kThreads + thread;
      if (at >= pairs.count) return;
      const u32 query = list_of(pairs.first, pairs.query_count, static_cast<u32>(at));
      const u64* const a = pairs.queries + u64{query} * pairs.words;
      const u64* const b = pairs.rows + u64{pairs.candidates[at]} * pairs.words;
      u32 equal = 0;
      for (u32 i = 0; i < pairs.words; ++i) equal += hd::zero_fields(a[i] ^ b[i], pairs.bits);
      pairs.counts[at] = equal - pairs.unused_fields;
    });
  }
};

template <class Launcher>
void count_pairs(Launcher& launcher, const Pairs& pairs) {
  if (pairs.count == 0) return;
  launcher.launch(CountPairs{pairs}, (pairs.count + kBlock - 1) / kBlock, 0);
}

// Distances of a query of `width` bits to small sketches packed in words. Word i of `distances`
// holds the distances of the sketches in word i of `packed`, each in its own field; `query` repeats
// the query in every field. Counts by Knudsen's word-parallel method, whose GPU version Løvstad's
// thesis leaves open, or by one __popcll per sketch.
struct ScanPacked {
  static constexpr u32 kThreads = kBlock;
  static constexpr u32 kWordsOfThread = 8;
  const u64* packed;
  u64* distances;
  u64 words;
  u64 query;
  u32 width;
  bool word_parallel;

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const u64 begin = u64{index} * Group::kThreads * kWordsOfThread;
    group.each([&](u32 thread) {
      for (u32 i = 0; i < kWordsOfThread; ++i) {
        const u64 at = begin + u64{i} * Group::kThreads + thread;
        if (at >= words) return;
        const u64 difference = packed[at] ^ query;
        distances[at] = word_parallel ? hd::count_fields(difference, width)
                                      : hd::count_fields_one_by_one(difference, width);
      }
    });
  }
};

template <class Launcher>
void scan_packed(Launcher& launcher, const ScanPacked& scan) {
  constexpr u32 kWordsOfGroup = kBlock * ScanPacked::kWordsOfThread;
  if (scan.words == 0) return;
  launcher.launch(scan, static_cast<u32>((scan.words + kWordsOfGroup - 1) / kWordsOfGroup), 0);
}

}  // namespace neardup::cuda
