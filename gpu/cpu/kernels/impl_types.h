// Shared by the parts of impl.h. They are compiled once for each SIMD level, so everything has
// internal linkage, and they call no function of the standard library of which the linker might
// keep one copy for all levels.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "gpu/cpu/kernels/kernels.h"

namespace neardup {
namespace {

using std::size_t;
using std::uint32_t;
using std::uint64_t;

constexpr size_t kBlock = 256;  // elements hashed at once: 2 KiB, well inside the first-level cache

inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

#if defined(__AVX512DQ__)
// The first `left` of eight lanes; all when there are more left.
inline __mmask8 lanes(size_t left) {
  return static_cast<__mmask8>(left >= 8 ? 0xff : (1u << left) - 1);
}

inline __m512i all_lanes(uint64_t value) {
  return _mm512_set1_epi64(static_cast<long long>(value));
}
#endif

}  // namespace
}  // namespace neardup
