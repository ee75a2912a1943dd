// Which distances are worth reporting, before rows are scanned: the histogram of the distances of
// all rows shows how near a row must be to be a hit of a query. It takes a second look at each row
// and leaves the host little more than the rows that are wanted.
#pragma once

#include "gpu/cuda/search/kernels/scan_rows.h"

namespace neardup::cuda {

inline constexpr u32 kDistanceBins = 2 * kBlock;

// A bin counts the rows with 1 << bin_shift neighbouring distances.
NEARDUP_HD u32 bin_shift(u32 words) {
  u32 shift = 0;
  while (words * 64 >> shift >= kDistanceBins) ++shift;
  return shift;
}

struct NearLimits {
  RowsAndQueries scan;  // Requires: rows of at most 4096 words
  ScanQuery* about;     // scan.about, whose limits are lowered
  u32* histograms;      // kDistanceBins for each query, zeros at the start
};

// A group counts in its own memory, for some rows and some queries. Groups of the same rows are
// neighbours, so that these stay in the cache.
template <u32 kWords>
struct CountDistances {
  static constexpr u32 kThreads = kBlock;
  static constexpr u32 kRows = 16 * kBlock;
  static constexpr u32 kBytes = kDistanceBins * sizeof(u32);  // of a query
  NearLimits limits;

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const RowsAndQueries& scan = limits.scan;
    const u32 words = scan.rows.words_each;
    const u32 most = queries_at_once(words, kBytes);
    const u32 groups = (scan.queries.count + most - 1) / most;
    const u32 first = index % groups * most;
    const u32 left = scan.queries.count - first;
    const HeldQueries held(group.shared(), words, first, left < most ? left : most);
    u32* const counts = reinterpret_cast<u32*>(held.end());
    held.load(group, scan);
    clear_words(group, counts, held.count * kDistanceBins);
    count(group, held, u64{index / groups} * kRows, counts);
    u32* const all = limits.histograms + u64{first} * kDistanceBins;
    group.each([&](u32 thread) {
      for (u32 i = thread; i < held.count * kDistanceBins; i += Group::kThreads) {
        if (counts[i] != 0) Group::atomic_add(all + i, counts[i]);
      }
    });
  }

 private:
  template <class Group>
  NEARDUP_HD void count(Group& group, const HeldQueries& held, u64 first_row, u32* counts) const {
    const u32 shift = bin_shift(limits.scan.rows.words_each);
    group.each([&](u32 thread) {
      for (u64 row = first_row + thread; row < first_row + kRows; row += Group::kThreads) {
        compare_row<kWords>(limits.scan, held, row, [&](u32 i, u32 distance) {
          Group::atomic_add(counts + i * kDistanceBins + (distance >> shift), 1);
        });
      }
    });
  }
};

// One group for each query.
struct LowerLimits {
  static constexpr u32 kThreads = kBlock;
  NearLimits limits;

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    constexpr u32 kOwn = kDistanceBins / kThreads;
    const u32* const counts = limits.histograms + u64{index} * kDistanceBins;
    u32* const sums = reinterpret_cast<u32*>(group.shared());
    ScanQuery& about = limits.about[index];
    group.each([&](u32 thread) {
      u32 sum = 0;
      for (u32 i = 0; i < kOwn; ++i) sum += counts[thread * kOwn + i];
      sums[thread] = sum;
    });
    group.exclusive_sums(sums);
    const u32 shift = bin_shift(limits.scan.rows.words_each);
    group.each([&](u32 thread) {
      u32 below = sums[thread];
      for (u32 bin = thread * kOwn; bin < (thread + 1) * kOwn && below < about.most; ++bin) {
        below += counts[bin];
        const u32 end = (bin + 1) << shift;
        if (below >= about.most && end < about.limit) about.limit = end;
      }
    });
  }
};

template <class Launcher>
void lower_limits(Launcher& launcher, const NearLimits& limits) {
  using Count = CountDistances<0>;  // any has the same sizes
  const u32 words = limits.scan.rows.words_each;
  const u32 queries = limits.scan.queries.count;
  const u32 most = queries_at_once(words, Count::kBytes);
  const u32 held = queries < most ? queries : most;
  const u32 parts =
      static_cast<u32>((u64{limits.scan.rows.count} + Count::kRows - 1) / Count::kRows);
  if (held == 0 || parts == 0) return;
  launch_for_words<CountDistances>(launcher, words, parts * ((queries + most - 1) / most),
                                   held * query_bytes(words, Count::kBytes), limits);
  launcher.launch(LowerLimits{limits}, queries, kSumWords * sizeof(u32));
}

}  // namespace neardup::cuda
