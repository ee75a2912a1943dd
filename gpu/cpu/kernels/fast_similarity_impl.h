// Part of impl.h: fast similarity sketching. The order of rounds and elements does not matter: a
// bin keeps its smallest value, and every value of a later round is greater than every value of an
// earlier one. Surplus rounds therefore change nothing, and the code checks only now and then
// whether all bins are full.
#pragma once

#include "gpu/cpu/kernels/distinct_elements.h"
#include "gpu/cpu/kernels/impl_types.h"
#include "gpu/hd/fast_similarity.h"

namespace neardup {
namespace {

inline uint64_t empty_bins(const uint64_t* winners, uint32_t bins) {
  uint64_t empty = 0;
  for (uint32_t i = 0; i < bins; ++i) empty += uint64_t{winners[i] == hd::kEmptyBin};
  return empty;
}

// Whether so many elements are repeats that `thrown` of them left too many bins empty. x · bins
// distinct elements leave about bins · e^−x bins empty. The limit, bins · 2^−x plus two for small
// numbers, corresponds to 1.44 occurrences of each element.
inline bool repeats_much(uint64_t empty, uint32_t bins, uint64_t thrown) {
  const uint64_t x = thrown / bins;
  return empty > (x < 32 ? bins >> x : 0) + 2;
}

inline void offer(uint64_t& winner, uint64_t value) { winner = value < winner ? value : winner; }

inline void throw_round(uint64_t round_key, uint32_t round, uint32_t bins, ElementSpan set,
                        uint64_t* winners, uint64_t* other_winners) {
  alignas(64) uint64_t hashes[kBlock];
  const auto offer_to = [=](uint64_t* table, uint64_t hash) {
    offer(table[hd::bin_of(hash, bins)], hd::bin_value(hash, round));
  };
  for (size_t begin = 0; begin < set.size; begin += kBlock) {
    const size_t size = smaller(set.size - begin, kBlock);
    for (size_t i = 0; i < size; ++i) hashes[i] = hd::round_hash(set.data[begin + i], round_key);
    for (size_t i = 0; i + 1 < size; i += 2) {
      offer_to(winners, hashes[i]);
      offer_to(other_winners, hashes[i + 1]);
    }
    if (size % 2 != 0) offer_to(winners, hashes[size - 1]);
  }
}

constexpr uint32_t kMostTwice = 512;

// The first round of a large set. Elements alternate between two tables: consecutive updates of one
// table depend on each other, since they may hit the same bin. Requires: bins ≤ kMostTwice.
inline void throw_first_round(uint64_t round_key, uint32_t bins, ElementSpan set,
                              uint64_t* winners) {
  alignas(64) uint64_t others[kMostTwice];
  for (uint32_t i = 0; i < bins; ++i) others[i] = hd::kEmptyBin;
  throw_round(round_key, 0, bins, set, winners, others);
  for (uint32_t i = 0; i < bins; ++i) offer(winners[i], others[i]);
}

#if defined(__AVX512DQ__)

inline __m512i mix64(__m512i z) {
  const auto shifted = [](__m512i x, unsigned by) {
    return _mm512_xor_si512(x, _mm512_srli_epi64(x, by));
  };
  z = _mm512_mullo_epi64(shifted(z, 30), all_lanes(0xbf58476d1ce4e5b9));
  z = _mm512_mullo_epi64(shifted(z, 27), all_lanes(0x94d049bb133111eb));
  return shifted(z, 31);
}

// Collects the values for bins that were empty at construction, and drops all others.
class EmptyBins {
 public:
  static constexpr uint32_t kMostBins = 512;  // the bits of one register

  EmptyBins(uint32_t bins, uint64_t* winners) : bins_(bins), winners_(winners) {
    alignas(64) unsigned char filled[kMostBins / 8] = {};
    for (uint32_t i = 0; i < bins; i += 8) {
      const __mmask8 mask = lanes(bins - i);
      filled[i / 8] = _mm512_mask_cmpneq_epi64_mask(
          mask, _mm512_maskz_loadu_epi64(mask, winners + i), all_lanes(hd::kEmptyBin));
    }
    filled_ = _mm512_load_si512(filled);
  }

  // One round of up to kBlock elements. `apply` writes the collected values to the winners.
  void collect(uint64_t round_key, uint32_t round, const uint64_t* elements, size_t size) {
    if (end_ - found_ > kRoom - static_cast<ptrdiff_t>(size)) apply();
    uint64_t* end = end_;
    for (size_t i = 0; i < size; i += 8) {
      const __mmask8 mask = lanes(size - i);
      const __m512i hash = mix64(
          _mm512_xor_si512(_mm512_maskz_loadu_epi64(mask, elements + i), all_lanes(round_key)));
      const __m512i bin =
          _mm512_srli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(hash, 32), all_lanes(bins_)), 32);
      const __m512i word = _mm512_permutexvar_epi64(_mm512_srli_epi64(bin, 6), filled_);
      const __m512i bit = _mm512_rorv_epi64(word, bin);
      const __mmask8 empty = _mm512_mask_testn_epi64_mask(mask, bit, all_lanes(1));
      const __m512i value = _mm512_or_si512(
          _mm512_and_si512(hash, all_lanes(0xffffffff)),
          _mm512_or_si512(all_lanes(uint64_t{round} << 32), _mm512_slli_epi64(bin, kBinShift)));
      _mm512_storeu_si512(end, _mm512_maskz_compress_epi64(empty, value));
      end += __builtin_popcount(empty);
    }
    end_ = end;
  }

  void apply() {
    for (const uint64_t* at = found_; at != end_; ++at)
      offer(winners_[*at >> kBinShift], *at & ((uint64_t{1} << kBinShift) - 1));
    end_ = found_;
  }

 private:
  static constexpr int kBinShift = 48;  // above the round, which is less than kMostBins
  static constexpr ptrdiff_t kRoom = 2 * kBlock;
  uint32_t bins_;
  uint64_t* winners_;
  __m512i filled_;
  alignas(64) uint64_t found_[kRoom + 8];
  uint64_t* end_ = found_;
};

#endif

// Rounds first … last − 1. Requires: winners of earlier rounds are in place.
inline void throw_rounds(const uint64_t* round_keys, uint32_t first, uint32_t last, uint32_t bins,
                         ElementSpan set, uint64_t* winners) {
#if defined(__AVX512DQ__)
  if (bins <= EmptyBins::kMostBins) {
    EmptyBins empty(bins, winners);
    for (uint32_t round = first; round < last; ++round) {
      for (size_t i = 0; i < set.size; i += kBlock)
        empty.collect(round_keys[round], round, set.data + i, smaller(set.size - i, kBlock));
    }
    empty.apply();
    return;
  }
#endif
  for (uint32_t round = first; round < last; ++round)
    throw_round(round_keys[round], round, bins, set, winners, winners);
}

inline uint64_t smallest_of_round(uint64_t round_key, uint32_t round, ElementSpan set) {
  uint64_t smallest = hd::kEmptyBin;
  for (size_t i = 0; i < set.size; ++i)
    offer(smallest, hd::bin_value(hd::round_hash(set.data[i], round_key), round));
  return smallest;
}

// Rounds that the paper's algorithm needs for these winners: up to the one that filled the last
// bin, or all common rounds and one for each bin that is still empty after them.
inline uint32_t rounds_needed(const uint64_t* winners, uint32_t bins) {
  uint32_t rounds = 0;
  uint32_t late = 0;
  for (uint32_t i = 0; i < bins; ++i) {
    const auto round = static_cast<uint32_t>(winners[i] >> 32);
    late += round >= bins;
    rounds = round >= rounds ? round + 1 : rounds;
  }
  return late == 0 ? rounds : bins + late;
}

// With more distinct elements per bin than this, one or two rounds fill every bin.
constexpr size_t kMostDistinct = 8;

uint64_t fast_similarity(const uint64_t* round_keys, uint32_t bins, ElementSpan set,
                         DistinctElements& distinct, uint64_t* winners) {
  for (uint32_t i = 0; i < bins; ++i) winners[i] = hd::kEmptyBin;
  const size_t size = set.size;
  uint32_t round = 0;
  uint64_t empty = bins;
  if (size >= kBlock && bins <= kMostTwice) {
    throw_first_round(round_keys[0], bins, set, winners);
    empty = empty_bins(winners, bins);
    round = 1;
  }
  bool as_given = true;
  while (round < bins && empty != 0) {
    if (as_given && repeats_much(empty, bins, round * size)) {
      set = distinct.of(set, kMostDistinct * bins);
      as_given = false;
    }
    const auto at_once = set.size < kBlock ? static_cast<uint32_t>(kBlock / set.size) : 1;
    const uint32_t last = bins - round < at_once ? bins : round + at_once;
    throw_rounds(round_keys, round, last, bins, set, winners);
    empty = empty_bins(winners, bins);
    round = last;
  }
  for (uint32_t late = bins; late < 2 * bins && empty != 0; ++late) {
    if (winners[late - bins] == hd::kEmptyBin)
      winners[late - bins] = smallest_of_round(round_keys[late], late, set);
  }
  return size * uint64_t{rounds_needed(winners, bins)};
}

}  // namespace
}  // namespace neardup
