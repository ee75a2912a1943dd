// Error weighted hashing (Esmaeili, Ward, Fatourechi 2012): near strings of bits by their scores. A
// query looks into all buckets whose keys differ from its own in few bits. One that differs in r
// bits adds the weight α_r to its strings. Documents that reach the score s0 are compared.
#pragma once

#include "gpu/cuda/search/kernels/byte_counters.h"
#include "gpu/cuda/search/kernels/hit_lists.h"
#include "gpu/cuda/search/kernels/lists.h"
#include "gpu/cuda/search/kernels/packed_rows.h"
#include "gpu/cuda/search/kernels/sampled_bits.h"

namespace neardup::cuda {

// A bucket that a query looks into, for each function: the one whose key differs in these bits.
struct Probe {
  u32 errors;  // a mask of key bits
  u32 weight;  // α_r > 0
};

// A group takes the queries index, index + groups, … A string's score is in memory of the device.
struct WeighErrors {
  static constexpr u32 kThreads = kBlock;
  SampledBits how;
  PackedRows strings;
  const u32* starts;  // of hash_strings.h
  const u32* places;
  const Probe* probes;  // Requires: no two alike, and functions × the largest weight ≤ 255
  u32 probe_count;
  PackedRows queries;
  u32 least_score;  // s0. Requires: > 0
  u32 groups;
  u32* scores;              // score_words() for each group; zeros at the start and at the end
  HitLists<NearHit> found;  // for each query the strings that reach s0, each once

  NEARDUP_HD u32 score_words() const { return ByteCounters::words_of(strings.count); }
  u32 shared_bytes() const { return kWalkBytes + how.functions * 4; }

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    for (u32 query = index; query < queries.count; query += groups) {
      score(group, index, query);
      compare(group, query);
    }
  }

 private:
  template <class Group>
  NEARDUP_HD void score(Group& group, u32 index, u32 query) const {
    char* const memory = group.shared();
    u32* const keys = reinterpret_cast<u32*>(memory + kWalkBytes);
    group.each([&](u32 thread) {
      for (u32 i = thread; i < how.functions; i += Group::kThreads) {
        keys[i] = how.key(i, queries.row(query));
      }
    });
    const ByteCounters own{scores + u64{index} * score_words()};
    const u32 lists = how.functions * probe_count;
    const auto list_of = [&](u32 list) { return bucket(list / probe_count, keys, list); };
    const u64 walked = walk_lists<u32>(group, memory, lists, list_of, [&](u32 list, u32 place) {
      const u32 weight = probes[list % probe_count].weight;
      const u32 before = own.add<Group>(place, weight);
      if (before < least_score && before + weight >= least_score) {
        found.append<Group>(query, {0, place});
      }
    });
    if (walked >= score_words()) return clear_words(group, own.words, score_words());
    walk_lists<u32>(group, memory, lists, list_of, [&](u32, u32 place) { own.clear(place); });
  }

  NEARDUP_HD List<u32> bucket(u32 function, const u32* keys, u32 list) const {
    const u32 key = keys[function] ^ probes[list % probe_count].errors;
    const u32* const at = starts + u64{function} * (how.keys() + 1) + key;
    return {places + u64{function} * strings.count + at[0], at[1] - at[0]};
  }

  template <class Group>
  NEARDUP_HD void compare(Group& group, u32 query) const {
    group.each([&](u32 thread) {
      const u32 kept = found.kept(query);
      for (u32 i = thread; i < kept; i += Group::kThreads) {
        NearHit& hit = found.at(query, i);
        hit.distance = differing_bits(strings.row(hit.row), queries.row(query), strings.words_each);
      }
    });
  }
};

template <class Launcher>
void weigh_errors(Launcher& launcher, const WeighErrors& weigh) {
  const u32 groups = weigh.groups < weigh.queries.count ? weigh.groups : weigh.queries.count;
  if (groups > 0) launcher.launch(weigh, groups, weigh.shared_bytes());
}

}  // namespace neardup::cuda
