// Match-count where lists are long (GENIE, Zhou et al. 2018, section 3): the objects that have most
// keywords of a query. Each group counts in its own memory, so objects come in segments of 65 536.
// The k-th count of GENIE's c-PQ (MC_k, its AuditThreshold less one) is read off a histogram of all
// counts instead of a ZipperArray, after which no hash table is needed and no answer depends on the
// order of atomics.
#pragma once

#include "gpu/cuda/search/kernels/byte_counters.h"
#include "gpu/cuda/search/kernels/lists.h"

namespace neardup::cuda {

inline constexpr u32 kDenseObjects = 1 << 16;  // of a segment, so that a place has 16 bits
inline constexpr u32 kDenseCounts = 256;       // that a counter can have

// The places of keyword v of function j are places[starts[i]] up to places[starts[i + 1]], without
// the latter, where i is j · (domain + 1) + v.
struct DenseSegment {
  const u32* starts;
  const std::uint16_t* places;
  u32 first;    // number of the object at place 0
  u32 objects;  // at most kDenseObjects
};

struct DenseHit {
  u32 count;  // common keywords; 0: no hit
  u32 object;
};

// One group counts for one query in one segment. Groups of the same segment are neighbours, so that
// its places stay in the cache.
struct DenseMatch {
  static constexpr u32 kThreads = kBlock;
  const DenseSegment* segments;
  u32 segment_count;
  u32 most_objects;     // of a segment
  const u32* keywords;  // of each query: `functions`. Those from `domain` on have no places.
  u32 query_count;
  u32 functions;  // at most 255: a counter has 8 bits
  u32 domain;
  u32 k;  // Requires: > 0
  // k for each query of each segment: hits with more than the k-th count, by place, then the first
  // ones with just that count, by place, then empty ones.
  DenseHit* hits;

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const DenseSegment& segment = segments[index / query_count];
    const Memory memory(group.shared(), segment.objects);
    clear_words(group, memory.histogram, kDenseCounts + memory.words);
    count(group, memory, segment, keywords + u64{index % query_count} * functions);
    make_histogram(group, memory);
    write(group, memory, segment.first, find_kth(group, memory), hits + u64{index} * k);
  }

  u32 shared_bytes() const {
    return kWalkBytes + (2 + kDenseCounts + ByteCounters::words_of(most_objects)) * 4;
  }

 private:
  // Memory of the group.
  struct Memory {
    NEARDUP_HD Memory(char* shared, u32 objects)
        : walk(shared),
          sums(reinterpret_cast<u32*>(shared)),
          kth(reinterpret_cast<u32*>(shared + kWalkBytes)),
          histogram(kth + 2),
          counters(histogram + kDenseCounts),
          words(ByteCounters::words_of(objects)) {}
    char* walk;
    u32* sums;  // in the same place as `walk`
    u32* kth;
    u32* histogram;
    u32* counters;  // behind the histogram, so that both are cleared at once
    u32 words;
  };

  struct Kth {
    u32 count;  // of the k-th hit; 0: there are fewer than k
    u32 above;  // objects that have more
  };

  template <class Group>
  NEARDUP_HD void count(Group& group, const Memory& memory, const DenseSegment& segment,
                        const u32* own) const {
    const ByteCounters counters{memory.counters};
    walk_lists<std::uint16_t>(
        group, memory.walk, functions,
        [&](u32 function) {
          if (own[function] >= domain) return List<std::uint16_t>{nullptr, 0};
          const u32* const at = segment.starts + u64{function} * (domain + 1) + own[function];
          return List<std::uint16_t>{segment.places + at[0], at[1] - at[0]};
        },
        [&](u32, u32 place) { counters.add<Group>(place, 1); });
  }

  // Counts up to kOwn are the most frequent: every thread adds up its own, or all would wait for
  // the same words. 16 bits suffice, since a thread sees at most 256 objects.
  template <class Group>
  NEARDUP_HD void make_histogram(Group& group, const Memory& memory) const {
    constexpr u32 kOwn = 4;
    group.each([&](u32 thread) {
      u64 own = 0;
      for (u32 i = thread; i < memory.words; i += Group::kThreads) {
        for (u32 counts = memory.counters[i]; counts != 0; counts >>= 8) {
          const u32 one = counts & 0xff;
          if (one > kOwn) {
            Group::atomic_add(memory.histogram + one, 1);
          } else if (one != 0) {
            own += u64{1} << (16 * (one - 1));
          }
        }
      }
      for (u32 one = 1; own != 0; ++one, own >>= 16) {
        Group::atomic_add(memory.histogram + one, static_cast<u32>(own & 0xffff));
      }
    });
  }

  // Thread i has the objects with count 255 − i. The last one, of count 0, has none.
  template <class Group>
  NEARDUP_HD Kth find_kth(Group& group, const Memory& memory) const {
    static_assert(Group::kThreads == kDenseCounts);
    group.each([&](u32 thread) { memory.sums[thread] = memory.histogram[255 - thread]; });
    group.exclusive_sums(memory.sums);
    group.each([&](u32 thread) {
      const u32 above = memory.sums[thread];
      const u32 count = 255 - thread;
      if (above >= k || (count != 0 && above + memory.histogram[count] < k)) return;
      memory.kth[0] = count;
      memory.kth[1] = above;
    });
    const u32 count = group.read(memory.kth[0]);
    return {count, group.read(memory.kth[1])};
  }

  // Of the four counters of a word: how many are above the k-th count, and how many are it, in the
  // upper half.
  static NEARDUP_HD u32 hits_in(u32 counts, u32 kth) {
    u32 found = 0;
    for (; counts != 0; counts >>= 8) {
      const u32 one = counts & 0xff;
      if (one > kth) found += 1;
      if (one == kth && kth != 0) found += 1 << 16;
    }
    return found;
  }

  template <class Group>
  NEARDUP_HD void write(Group& group, const Memory& memory, u32 first, Kth kth,
                        DenseHit* out) const {
    u32 above = 0;
    u32 equal = kth.above;
    for (u32 from = 0; from < memory.words; from += Group::kThreads) {
      group.each([&](u32 thread) {
        const u32 word = from + thread;
        memory.sums[thread] = word < memory.words ? hits_in(memory.counters[word], kth.count) : 0;
      });
      const u32 found = group.exclusive_sums(memory.sums);
      group.each([&](u32 thread) {
        const u32 word = from + thread;
        if (word >= memory.words) return;
        const u32 before = memory.sums[thread];
        write_word(memory.counters[word], kth.count, first + word * 4, above + (before & 0xffff),
                   equal + (before >> 16), out);
      });
      above += found & 0xffff;
      equal += found >> 16;
    }
    group.each([&](u32 thread) {
      for (u32 i = equal + thread; i < k; i += Group::kThreads) out[i] = {0, 0};
    });
  }

  NEARDUP_HD void write_word(u32 counts, u32 kth, u32 object, u32 above, u32 equal,
                             DenseHit* out) const {
    for (; counts != 0; counts >>= 8, ++object) {
      const u32 one = counts & 0xff;
      if (one > kth) out[above++] = {one, object};
      if (one == kth && kth != 0 && equal < k) out[equal++] = {one, object};
    }
  }
};

template <class Launcher>
void match_dense(Launcher& launcher, const DenseMatch& match) {
  const u32 groups = match.segment_count * match.query_count;
  if (groups > 0) launcher.launch(match, groups, match.shared_bytes());
}

// Names the kernel, with the memory that its groups need, to a launcher that starts none.
template <class Launcher>
void name_dense_match(Launcher& launcher, u32 most_objects) {
  DenseMatch match{};
  match.segment_count = match.query_count = 1;
  match.most_objects = most_objects;
  match_dense(launcher, match);
}

}  // namespace neardup::cuda
