// Integer arithmetic that host and device share (docs/formats/sketch.md, "Basic functions").
#pragma once

#include <cstdint>

// Always inlined on the host: this code is compiled for several SIMD levels, and the linker must
// not keep a copy with newer instructions for an older machine.
#if defined(__CUDACC__)
#define NEARDUP_HD __host__ __device__ __forceinline__
#else
#define NEARDUP_HD __attribute__((always_inline)) inline
#endif

namespace neardup::hd {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// p = 2^61 − 1, the Mersenne prime of all modular hashing here (Carter, Wegman 1979).
inline constexpr u64 kPrime = (u64{1} << 61) - 1;
inline constexpr u64 kGolden = 0x9e3779b97f4a7c15;

struct Wide {
  u64 low;
  u64 high;
};

NEARDUP_HD Wide multiply_wide(u64 a, u64 b) {
#if defined(__CUDA_ARCH__)
  return {a * b, __umul64hi(a, b)};
#else
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return {static_cast<u64>(product), static_cast<u64>(product >> 64)};
#endif
}

NEARDUP_HD u32 trailing_zeros(u64 word) {  // Requires: word > 0
#if defined(__CUDA_ARCH__)
  return static_cast<u32>(__ffsll(static_cast<long long>(word))) - 1;
#else
  return static_cast<u32>(__builtin_ctzll(word));
#endif
}

// Finaliser of SplitMix64 (Steele, Lea, Flood 2014, variant 13 of Stafford): a bijection.
NEARDUP_HD u64 mix64(u64 z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

NEARDUP_HD u64 fold(u64 a, u64 b) {
  const Wide product = multiply_wide(a, b);
  return product.low ^ product.high;
}

// x + p where x is below 0 (as a signed number), else x. Branchless, since no processor predicts
// which of two random numbers is greater.
NEARDUP_HD u64 add_prime_if_negative(u64 x) {
  return x + (kPrime & static_cast<u64>(static_cast<std::int64_t>(x) >> 63));
}

// x mod p of any 64-bit x. (The branch is predicted well: almost no random number reaches p.)
NEARDUP_HD u64 reduce(u64 x) {
  x = (x & kPrime) + (x >> 61);
  return x >= kPrime ? x - kPrime : x;
}

// Requires: a, b < p
NEARDUP_HD u64 add_mod(u64 a, u64 b) { return add_prime_if_negative(a + b - kPrime); }
NEARDUP_HD u64 subtract_mod(u64 a, u64 b) { return add_prime_if_negative(a - b); }

NEARDUP_HD u64 multiply_mod(u64 a, u64 b) {  // Requires: a, b < p
  const Wide product = multiply_wide(a, b);
  return add_mod(product.low & kPrime, (product.high << 3) | (product.low >> 61));
}

// The key stream of a seed: every hash function gets its own label.
NEARDUP_HD u64 derive(u64 s0, u64 s1, u32 label, u32 i) {
  const u64 counter = (u64{label} << 32) | i;
  return mix64((s1 ^ mix64((s0 ^ counter) + kGolden)) + kGolden);
}

}  // namespace neardup::hd
