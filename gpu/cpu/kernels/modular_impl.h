// Part of impl.h: arithmetic mod p = 2^61 − 1 on eight numbers at once, from products of 31 × 31
// bits.
#pragma once

#include "gpu/cpu/kernels/impl_types.h"
#include "gpu/hd/arithmetic.h"

#if defined(__AVX512DQ__)

namespace neardup {
namespace {

// Numbers below p, cut at bit 31.
struct Halves {
  __m512i low;
  __m512i high;
};

inline Halves halves(__m512i x) {
  return {_mm512_and_si512(x, all_lanes((uint64_t{1} << 31) - 1)), _mm512_srli_epi64(x, 31)};
}

// a·b + c mod p. Requires: all below p.
inline __m512i multiply_add(Halves a, Halves b, __m512i c) {
  const __m512i p = all_lanes(hd::kPrime);
  // a·b = low + middle·2^31 + high·2^62, below 2^62, 2^62 and 2^60; 2^61 = 1 mod p.
  const __m512i low = _mm512_mul_epu32(a.low, b.low);
  const __m512i middle =
      _mm512_add_epi64(_mm512_mul_epu32(a.low, b.high), _mm512_mul_epu32(a.high, b.low));
  const __m512i high = _mm512_mul_epu32(a.high, b.high);
  const __m512i low30 = _mm512_and_si512(middle, all_lanes((uint64_t{1} << 30) - 1));
  __m512i sum = _mm512_add_epi64(low, c);
  sum = _mm512_add_epi64(sum, _mm512_slli_epi64(low30, 31));
  sum = _mm512_add_epi64(sum, _mm512_srli_epi64(middle, 30));
  sum = _mm512_add_epi64(sum, _mm512_add_epi64(high, high));  // below 2^64 in all
  sum = _mm512_add_epi64(_mm512_and_si512(sum, p), _mm512_srli_epi64(sum, 61));
  return _mm512_min_epu64(sum, _mm512_sub_epi64(sum, p));
}

}  // namespace
}  // namespace neardup

#endif
