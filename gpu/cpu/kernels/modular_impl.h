// Part of impl.h: the arithmetic of gpu/hd/arithmetic.h on eight numbers at once, from products of
// 31 or 32 bits.
#pragma once

#include "gpu/cpu/kernels/impl_types.h"
#include "gpu/hd/arithmetic.h"

#if defined(__AVX512DQ__)

namespace neardup {
namespace {

// x mod p of any 64-bit x.
inline __m512i reduce(__m512i x) {
  const __m512i p = all_lanes(hd::kPrime);
  const __m512i sum = _mm512_add_epi64(_mm512_and_si512(x, p), _mm512_srli_epi64(x, 61));
  return _mm512_min_epu64(sum, _mm512_sub_epi64(sum, p));
}

// The two halves of the product a·b of 128 bits, xored.
inline __m512i fold(__m512i a, __m512i b) {
  const __m512i low32 = all_lanes(0xffffffff);
  const __m512i a_high = _mm512_srli_epi64(a, 32);
  const __m512i b_high = _mm512_srli_epi64(b, 32);
  const __m512i low = _mm512_mul_epu32(a, b);
  const __m512i middle = _mm512_add_epi64(_mm512_mul_epu32(a, b_high), _mm512_srli_epi64(low, 32));
  const __m512i other =
      _mm512_add_epi64(_mm512_mul_epu32(a_high, b), _mm512_and_si512(middle, low32));
  const __m512i high = _mm512_add_epi64(
      _mm512_add_epi64(_mm512_mul_epu32(a_high, b_high), _mm512_srli_epi64(middle, 32)),
      _mm512_srli_epi64(other, 32));
  const __m512i low64 = _mm512_mask_blend_epi32(0xaaaa, low, _mm512_slli_epi64(other, 32));
  return _mm512_xor_si512(high, low64);
}

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
  return reduce(sum);
}

}  // namespace
}  // namespace neardup

#endif
