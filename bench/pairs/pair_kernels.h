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

// Knudsen's word-parallel method, whose GPU version Løvstad's thesis leaves open; the same with the
// counts of several words packed in one; or one __popcll a sketch.
enum class PackedCount { kWordParallel, kPacked, kPopcount };

// Distances of a query of `width` bits (8, 16 or 32) to small sketches packed in words; `query`
// repeats the query in every field. Word i of `distances` holds those of the sketches in word i of
// `packed`, each in its own field. By kPacked, thread t of a group packs those of n =
// hd::words_of_packed_counts(width) of its words, t, t + kThreads … of the group's, in one: the
// group's word t of `distances` has words 0 to n − 1, word t + kThreads the next n, and so on. It
// writes whole groups: distances_of_scan(words) / n words.
struct ScanPacked {
  static constexpr u32 kThreads = kBlock;
  static constexpr u32 kWordsOfThread = 8;
  const u64* packed;
  u64* distances;
  u64 words;
  u64 query;
  u32 width;
  PackedCount count;

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    if (count == PackedCount::kPacked) return pack(group, index);
    const u64 begin = u64{index} * Group::kThreads * kWordsOfThread;
    group.each([&](u32 thread) {
      for (u32 i = 0; i < kWordsOfThread; ++i) {
        const u64 at = begin + u64{i} * Group::kThreads + thread;
        if (at >= words) return;
        const u64 difference = packed[at] ^ query;
        distances[at] = count == PackedCount::kWordParallel
                            ? hd::count_fields(difference, width)
                            : hd::count_fields_one_by_one(difference, width);
      }
    });
  }

 private:
  template <class Group>
  NEARDUP_HD void pack(Group& group, u32 index) const {
    switch (width) {
      case 8:
        return pack_of<8>(group, index);
      case 16:
        return pack_of<16>(group, index);
      default:
        return pack_of<32>(group, index);
    }
  }
  // The width is a constant, so that a thread's words stay in registers.
  template <u32 kWidth, class Group>
  NEARDUP_HD void pack_of(Group& group, u32 index) const {
    constexpr u32 kMerged = hd::words_of_packed_counts(kWidth);
    const u64 begin = u64{index} * Group::kThreads * kWordsOfThread;
    group.each([&](u32 thread) {
      for (u32 first = 0; first < kWordsOfThread; first += kMerged) {
        u64 differences[kMerged];
        for (u32 i = 0; i < kMerged; ++i) {
          const u64 at = begin + u64{first + i} * Group::kThreads + thread;
          differences[i] = at < words ? packed[at] ^ query : 0;
        }
        distances[(begin + u64{first} * Group::kThreads) / kMerged + thread] =
            hd::pack_counts(differences, kWidth);
      }
    });
  }
};

constexpr u32 kWordsOfScan = kBlock * ScanPacked::kWordsOfThread;

// Words of `distances` that a scan by any method may write: whole groups.
constexpr u64 distances_of_scan(u64 words) {
  return (words + kWordsOfScan - 1) / kWordsOfScan * kWordsOfScan;
}

template <class Launcher>
void scan_packed(Launcher& launcher, const ScanPacked& scan) {
  if (scan.words == 0) return;
  launcher.launch(scan, static_cast<u32>(distances_of_scan(scan.words) / kWordsOfScan), 0);
}

}  // namespace neardup::cuda
