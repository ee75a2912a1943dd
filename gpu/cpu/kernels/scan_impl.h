// Part of impl.h: the rows near a query, among many.
#pragma once

#include "gpu/cpu/kernels/compare_impl.h"

namespace neardup {
namespace {

// Rows ahead that are fetched while one query passes by all rows.
constexpr size_t kRowsAhead = 64;

// A constant number of words lets the compiler keep the query in registers.
template <size_t kWords>
size_t near_rows_of(const uint64_t* rows, size_t count, const uint64_t* query, uint32_t limit,
                    NearRow* near) {
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    __builtin_prefetch(rows + (i + kRowsAhead) * kWords);
    const uint32_t distance = hamming_hardware(rows + i * kWords, query, kWords);
    near[found] = {static_cast<uint32_t>(i), distance};
    found += distance < limit ? 1 : 0;
  }
  return found;
}

size_t near_rows_of_any(const uint64_t* rows, size_t count, size_t words, const uint64_t* query,
                        uint32_t limit, NearRow* near) {
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t distance = hamming_hardware(rows + i * words, query, words);
    near[found] = {static_cast<uint32_t>(i), distance};
    found += distance < limit ? 1 : 0;
  }
  return found;
}

#if defined(__AVX512VPOPCNTDQ__)
// The sums of the two neighbouring lanes of a and of b, alternately.
inline __m512i sum_pairs(__m512i a, __m512i b) {
  return _mm512_add_epi64(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
}
// The sums of the two neighbouring 128-bit parts of a, then those of b.
inline __m512i sum_halves(__m512i a, __m512i b) {
  return _mm512_add_epi64(_mm512_shuffle_i64x2(a, b, 0x88), _mm512_shuffle_i64x2(a, b, 0xdd));
}

// The distances of eight rows, in their order.
template <size_t kWords>
struct EightRows;

template <>
struct EightRows<8> {
  __m512i query;
  explicit EightRows(const uint64_t* words) : query(_mm512_loadu_si512(words)) {}
  __m512i distances(const uint64_t* rows) const {
    __m512i bits[8];
    for (size_t i = 0; i < 8; ++i) {
      bits[i] = _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(rows + 8 * i), query));
    }
    return sum_halves(sum_halves(sum_pairs(bits[0], bits[1]), sum_pairs(bits[2], bits[3])),
                      sum_halves(sum_pairs(bits[4], bits[5]), sum_pairs(bits[6], bits[7])));
  }
};

template <>
struct EightRows<4> {
  __m512i query;
  explicit EightRows(const uint64_t* words)
      : query(_mm512_broadcast_i64x4(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(words)))) {
  }
  __m512i distances(const uint64_t* rows) const {
    __m512i bits[4];
    for (size_t i = 0; i < 4; ++i) {
      bits[i] = _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(rows + 8 * i), query));
    }
    const __m512i mixed = sum_halves(sum_pairs(bits[0], bits[1]), sum_pairs(bits[2], bits[3]));
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 1, 3, 4, 6, 5, 7), mixed);
  }
};

template <size_t kWords>
size_t near_rows_by_eight(const uint64_t* rows, size_t count, const uint64_t* query, uint32_t limit,
                          NearRow* near) {
  const EightRows<kWords> eight(query);
  const __m512i limits = all_lanes(limit);
  __m512i numbers = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  size_t found = 0;
  size_t at = 0;
  for (; at + 8 <= count; at += 8) {
    for (size_t line = 0; line < kWords; ++line) {
      __builtin_prefetch(rows + (at + kRowsAhead) * kWords + 8 * line);
    }
    const __m512i distances = eight.distances(rows + at * kWords);
    const __mmask8 near_lanes = _mm512_cmplt_epu64_mask(distances, limits);
    if (near_lanes != 0) {
      _mm512_mask_compressstoreu_epi64(near + found, near_lanes,
                                       _mm512_or_si512(_mm512_slli_epi64(distances, 32), numbers));
      found += hd::count_hardware(near_lanes);
    }
    numbers = _mm512_add_epi64(numbers, all_lanes(8));
  }
  const size_t rest =
      near_rows_of<kWords>(rows + at * kWords, count - at, query, limit, near + found);
  for (size_t i = found; i < found + rest; ++i) near[i].row += static_cast<uint32_t>(at);
  return found + rest;
}
#endif

size_t near_rows(const uint64_t* rows, size_t count, size_t words, const uint64_t* query,
                 uint32_t limit, NearRow* near) {
  switch (words) {
#if defined(__AVX512VPOPCNTDQ__)
    case 4:
      return near_rows_by_eight<4>(rows, count, query, limit, near);
    case 8:
      return near_rows_by_eight<8>(rows, count, query, limit, near);
#else
    case 4:
      return near_rows_of<4>(rows, count, query, limit, near);
    case 8:
      return near_rows_of<8>(rows, count, query, limit, near);
#endif
    case 1:
      return near_rows_of<1>(rows, count, query, limit, near);
    case 2:
      return near_rows_of<2>(rows, count, query, limit, near);
    default:
      return near_rows_of_any(rows, count, words, query, limit, near);
  }
}

}  // namespace
}  // namespace neardup
