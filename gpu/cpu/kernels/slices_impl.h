// Part of impl.h: the rows near a query, among many that are stored as bit planes. A register holds
// one bit of each of kSliceRows rows, so a few operations count a bit of all of them: parallel bit
// counting (Knudsen, Løvstad), turned by 90 degrees.
//
// A row r and a query q differ in |r| + |q| - 2 |r AND q| bits. |r| is counted once for all
// queries, so a query only adds up the planes of its own set bits.
#pragma once

#include "gpu/cpu/kernels/impl_types.h"

namespace neardup {
namespace {

#if defined(__AVX512F__)
constexpr size_t kSliceBytes = 64;
#elif defined(__AVX2__)
constexpr size_t kSliceBytes = 32;
#else
constexpr size_t kSliceBytes = 16;
#endif
constexpr size_t kSliceWords = kSliceBytes / sizeof(uint64_t);
constexpr size_t kSliceRows = 8 * kSliceBytes;

// A bit of each row of a slice; lane i has rows 64 i to 64 i + 63.
using Slice = uint64_t __attribute__((vector_size(kSliceBytes)));

inline Slice load_slice(const uint64_t* words) {
  Slice slice;
  __builtin_memcpy(&slice, words, kSliceBytes);
  return slice;
}

inline void store_slice(const Slice& slice, uint64_t* words) {
  __builtin_memcpy(words, &slice, kSliceBytes);
}

// Numbers of rows as planes, the lowest bits first. The largest is twice kMostSlicedWords words of
// bits.
constexpr size_t kCountPlanes = 12;

// Where the planes of a slice begin: those of its bits are followed by a plane of zeros and the two
// bounds of near_slice.
constexpr size_t zero_plane(size_t words) { return 64 * words; }
constexpr size_t bound_planes(size_t words, size_t odd) {
  return zero_plane(words) + 1 + odd * kCountPlanes;
}
static_assert(bound_planes(kMostSlicedWords, 2) <= kMostPlanes);

// A full adder: sum becomes sum + a + b, without the carry, which is returned.
inline __attribute__((always_inline)) Slice add_bits(Slice& sum, const Slice& a, const Slice& b) {
  const Slice differ = sum ^ a;
  const Slice carry = (sum & a) | (differ & b);
  sum = differ ^ b;
  return carry;
}

// Adds the planes first … first + 2^kLevels - 1 to the numbers whose low kLevels bits are `counts`;
// returns the carries to the next bit (the carry-save adders of Harley and Seal).
template <size_t kLevels, class Plane>
inline __attribute__((always_inline)) Slice add_planes(Slice* counts, size_t first,
                                                       const Plane& plane) {
  if constexpr (kLevels == 0) {
    return plane(first);
  } else {
    const Slice a = add_planes<kLevels - 1>(counts, first, plane);
    const Slice b = add_planes<kLevels - 1>(counts, first + (size_t{1} << (kLevels - 1)), plane);
    return add_bits(counts[kLevels - 1], a, b);
  }
}

constexpr size_t kLevelsAtOnce = 4;
static_assert(size_t{1} << kLevelsAtOnce == kPlanesAtOnce);

// For each row: `begin`, plus its bits in the first `planes` planes.
template <class Plane>
inline __attribute__((always_inline)) void count_planes(size_t planes, uint32_t begin,
                                                        const Plane& plane, Slice* counts) {
  for (size_t level = 0; level < kCountPlanes; ++level) {
    counts[level] = Slice{} - (uint64_t{begin} >> level & 1);
  }
  for (size_t first = 0; first < planes; first += kPlanesAtOnce) {
    Slice carry = add_planes<kLevelsAtOnce>(counts, first, plane);
    for (size_t level = kLevelsAtOnce; level < kCountPlanes; ++level) {
      const Slice next = counts[level] & carry;
      counts[level] ^= carry;
      carry = next;
    }
  }
}

// Makes bit i of row k of a matrix bit k of row i, for each lane's matrix (Hacker's Delight, 7-3).
inline void transpose(Slice* matrix) {
  uint64_t mask = 0xffffffff;
  for (uint32_t width = 32; width != 0; width /= 2, mask ^= mask << width) {
    for (size_t k = 0; k < 64; k = ((k | width) + 1) & ~size_t{width}) {
      const Slice swapped = ((matrix[k] >> width) ^ matrix[k | width]) & mask;
      matrix[k | width] ^= swapped;
      matrix[k] ^= swapped << width;
    }
  }
}

void slice_bits(const uint64_t* rows, size_t words, uint64_t* planes) {
  for (size_t word = 0; word < words; ++word) {
    Slice matrix[64];
    for (size_t i = 0; i < kSliceRows; ++i) matrix[i % 64][i / 64] = rows[i * words + word];
    transpose(matrix);
    for (size_t bit = 0; bit < 64; ++bit) {
      store_slice(matrix[bit], planes + (64 * word + bit) * kSliceWords);
    }
  }
}

void slice_rows(const uint64_t* rows, size_t words, uint64_t* planes) {
  slice_bits(rows, words, planes);
  const size_t bits = 64 * words;
  store_slice(Slice{}, planes + zero_plane(words) * kSliceWords);
  const auto plane = [planes](size_t i) { return load_slice(planes + i * kSliceWords); };
  for (size_t odd = 0; odd < 2; ++odd) {
    Slice counts[kCountPlanes];
    count_planes(bits, static_cast<uint32_t>(bits - odd), plane, counts);
    uint64_t* bound = planes + bound_planes(words, odd) * kSliceWords;
    // Half of the count: its lowest plane is left out.
    for (size_t level = 1; level < kCountPlanes; ++level) {
      store_slice(counts[level], bound + (level - 1) * kSliceWords);
    }
    store_slice(Slice{}, bound + (kCountPlanes - 1) * kSliceWords);
  }
}

// With n = 64 words, limits above n + 1 as n + 1, and n + limit - |q| = 2 half + odd, the distance
// is below the limit where
//   half + |r AND q| > (|r| + n - odd) / 2, rounded down,
// whose right side slice_rows has stored for both values of `odd`.
void near_slice(const uint64_t* planes, size_t words, const PlanesOfQuery& query, uint32_t limit,
                uint64_t* near) {
  const size_t bits = 64 * words;
  const size_t capped = smaller(limit, bits + 1);
  const uint32_t sum = static_cast<uint32_t>(bits + capped - query.ones);
  Slice counts[kCountPlanes];
  count_planes(
      query.size, sum / 2,
      [&](size_t i) { return load_slice(planes + query.planes[i] * kSliceWords); }, counts);
  const uint64_t* bound = planes + bound_planes(words, sum % 2) * kSliceWords;
  Slice above{};
  for (size_t level = 0; level < kCountPlanes; ++level) {
    const Slice differ = counts[level] ^ load_slice(bound + level * kSliceWords);
    above = (differ & counts[level]) | (~differ & above);
  }
  store_slice(above, near);
}

}  // namespace
}  // namespace neardup
