// Strings → the buckets of error weighted hashing. Pairs of a key and a place are sorted by key, 8
// bits at a time from the lowest on: histograms of tiles → offsets → moves that keep the order of
// what is equal. So the places of a bucket ascend, and nothing depends on the order of atomics.
#pragma once

#include "gpu/cuda/search/kernels/packed_rows.h"
#include "gpu/cuda/search/kernels/sampled_bits.h"

namespace neardup::cuda {

inline constexpr u32 kDigitBits = 8;
inline constexpr u32 kDigits = 1 << kDigitBits;
inline constexpr u32 kTilePairs = 16 * kBlock;  // of a group

// All arrays are of one function after the other.
struct Hashing {
  SampledBits how;
  PackedRows strings;
  u64* pairs;   // strings.count each; room for work
  u64* spare;   // the same
  u32* digits;  // tiles() × kDigits each; room for work
  // The places of key v of a function are its places[starts[v]] up to places[starts[v + 1]],
  // without the latter, ascending.
  u32* starts;  // keys() + 1 each
  u32* places;  // strings.count each

  NEARDUP_HD u32 tiles() const {
    return static_cast<u32>((u64{strings.count} + kTilePairs - 1) / kTilePairs);
  }
  NEARDUP_HD u64 first_pair(u32 function) const { return u64{function} * strings.count; }
};

// The base of kernels of which each group has a tile of a function.
struct SortTile {
  static constexpr u32 kThreads = kBlock;
  Hashing hashing;
  const u64* from;
  u32 shift;  // the digit is these bits of the key and the next kDigitBits

  NEARDUP_HD u32 digit(u64 pair) const { return pair >> (32 + shift) & (kDigits - 1); }
  NEARDUP_HD const u64* pairs_of(u32 index) const {
    return from + hashing.first_pair(index / hashing.tiles());
  }
  NEARDUP_HD u32 begin_of(u32 index) const { return index % hashing.tiles() * kTilePairs; }
  NEARDUP_HD u32 end_of(u32 index) const {
    const u32 begin = begin_of(index);
    const u32 left = hashing.strings.count - begin;
    return begin + (left < kTilePairs ? left : kTilePairs);
  }
};

// A string a thread: the key in the upper half of the pair, the place in the lower one.
struct MakePairs {
  static constexpr u32 kThreads = kBlock;
  Hashing hashing;

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    group.each([&](u32 thread) {
      const u64 place = u64{index} * Group::kThreads + thread;
      if (place >= hashing.strings.count) return;
      for (u32 function = 0; function < hashing.how.functions; ++function) {
        const u64 key = hashing.how.key(function, hashing.strings.row(place));
        hashing.pairs[hashing.first_pair(function) + place] = key << 32 | place;
      }
    });
  }
};

// Counts the digits of a tile.
struct CountDigits : SortTile {
  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    static_assert(Group::kThreads == kDigits);
    u32* const counts = reinterpret_cast<u32*>(group.shared());
    group.each([&](u32 thread) { counts[thread] = 0; });
    group.each([&](u32 thread) {
      const u64* const pairs = pairs_of(index);
      const u32 end = end_of(index);
      for (u32 i = begin_of(index) + thread; i < end; i += Group::kThreads) {
        Group::atomic_add(counts + digit(pairs[i]), 1);
      }
    });
    group.each([&](u32 thread) { hashing.digits[u64{index} * kDigits + thread] = counts[thread]; });
  }
};

// Counts of a function → where the pairs of each digit of each tile go. A digit a thread.
struct SumDigits {
  static constexpr u32 kThreads = kBlock;
  Hashing hashing;

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    static_assert(Group::kThreads == kDigits);
    const u32 tiles = hashing.tiles();
    u32* const counts = hashing.digits + u64{index} * tiles * kDigits;
    u32* const sums = reinterpret_cast<u32*>(group.shared());
    group.each([&](u32 thread) {
      u32 sum = 0;
      for (u32 tile = 0; tile < tiles; ++tile) sum += counts[u64{tile} * kDigits + thread];
      sums[thread] = sum;
    });
    group.exclusive_sums(sums);
    group.each([&](u32 thread) {
      u32 next = sums[thread];
      for (u32 tile = 0; tile < tiles; ++tile) {
        u32& count = counts[u64{tile} * kDigits + thread];
        const u32 own = count;
        count = next;
        next += own;
      }
    });
  }
};

// Moves the pairs of a tile to where SumDigits says, in their order: a thread has a digit and gives
// out its places, then each pair goes to its own.
struct MovePairs : SortTile {
  u64* to;

  static constexpr u32 kBytes = 3 * kBlock * 4;

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    static_assert(Group::kThreads == kDigits);
    u32* const next = reinterpret_cast<u32*>(group.shared());
    u32* const digits = next + kBlock;
    u32* const places = digits + kBlock;
    const u64* const pairs = pairs_of(index);
    u64* const moved = to + (pairs - from);
    const u32 end = end_of(index);
    group.each([&](u32 thread) { next[thread] = hashing.digits[u64{index} * kDigits + thread]; });
    for (u32 step = begin_of(index); step < end; step += Group::kThreads) {
      const u32 count = end - step < Group::kThreads ? end - step : Group::kThreads;
      group.each([&](u32 thread) {
        if (thread < count) digits[thread] = digit(pairs[step + thread]);
      });
      group.each([&](u32 thread) {
        u32 place = next[thread];
        for (u32 i = 0; i < count; ++i) {
          if (digits[i] == thread) places[i] = place++;
        }
        next[thread] = place;
      });
      group.each([&](u32 thread) {
        if (thread < count) moved[places[thread]] = pairs[step + thread];
      });
    }
  }
};

// Sorted pairs → starts and places: a key and a place a thread.
struct FindStarts {
  static constexpr u32 kThreads = kBlock;
  Hashing hashing;
  const u64* sorted;

  // Groups of a function.
  NEARDUP_HD u32 groups() const {
    const u32 keys = hashing.how.keys() + 1;
    const u32 most = keys < hashing.strings.count ? hashing.strings.count : keys;
    return (most - 1) / kThreads + 1;
  }

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const u32 function = index / groups();
    const u64* const pairs = sorted + hashing.first_pair(function);
    u32* const starts = hashing.starts + u64{function} * (hashing.how.keys() + 1);
    u32* const places = hashing.places + hashing.first_pair(function);
    group.each([&](u32 thread) {
      const u64 at = u64{index % groups()} * Group::kThreads + thread;
      if (at <= hashing.how.keys()) starts[at] = first_from(pairs, at);
      if (at < hashing.strings.count) places[at] = static_cast<u32>(pairs[at]);
    });
  }

 private:
  // How many pairs have a smaller key.
  NEARDUP_HD u32 first_from(const u64* pairs, u64 key) const {
    u32 begin = 0;
    for (u32 end = hashing.strings.count; begin < end;) {
      const u32 middle = begin + (end - begin) / 2;
      if (pairs[middle] >> 32 < key) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
};

template <class Launcher>
void hash_strings(Launcher& launcher, const Hashing& hashing) {
  const u32 functions = hashing.how.functions;
  const u32 tiles = functions * hashing.tiles();
  if (functions == 0) return;
  const u64* from = hashing.pairs;
  if (tiles > 0) {
    launcher.launch(MakePairs{hashing}, (hashing.strings.count - 1) / kBlock + 1, 0);
    for (u32 shift = 0; shift < hashing.how.bits; shift += kDigitBits) {
      u64* const to = from == hashing.pairs ? hashing.spare : hashing.pairs;
      launcher.launch(CountDigits{{hashing, from, shift}}, tiles, kDigits * 4);
      launcher.launch(SumDigits{hashing}, functions, kSumWords * 4);
      launcher.launch(MovePairs{{hashing, from, shift}, to}, tiles, MovePairs::kBytes);
      from = to;
    }
  }
  const FindStarts starts{hashing, from};
  launcher.launch(starts, functions * starts.groups(), 0);
}

}  // namespace neardup::cuda
