// Part of impl.h: values of units → shingle elements. The sum of docs/formats/sketch.md mod p does
// not depend on the order of additions. A plain rolling update has a latency of one multiplication
// per unit, so either several runs of windows roll side by side, or whole vectors of windows grow
// by doubling.
#pragma once

#include "gpu/cpu/kernels/impl_types.h"
#include "gpu/cpu/kernels/modular_impl.h"
#include "gpu/hd/shingle.h"

namespace neardup {
namespace {

#if defined(__AVX512DQ__)

// out[i] = a[i]·factor + b[i] mod p. `out` may be `a`, also where `b` is a later part of `a`.
// Requires: everything < p.
inline void multiply_add(const uint64_t* a, uint64_t factor, const uint64_t* b, size_t count,
                         uint64_t* out) {
  const Halves factors = halves(all_lanes(factor));
  for (size_t i = 0; i < count; i += 8) {
    const __mmask8 mask = lanes(count - i);
    const Halves x = halves(_mm512_maskz_loadu_epi64(mask, a + i));
    _mm512_mask_storeu_epi64(out + i, mask,
                             multiply_add(x, factors, _mm512_maskz_loadu_epi64(mask, b + i)));
  }
}

// Grows all windows of a block from 1 unit to w by square-and-multiply:
// S_2s(i) = S_s(i)·B^s + S_s(i + s) and S_{s+1}(i) = S_s(i)·B + T_{i+s}. Requires: 2 ≤ w.
inline void grow_windows(const ShingleKeys& keys, uint32_t w, const uint64_t* values, size_t count,
                         uint64_t* sums, uint64_t* out) {
  const uint64_t* from = values;
  size_t wanted = count + w - 1;
  uint64_t power = keys.base;  // B^s
  uint32_t s = 1;
  for (int bit = 30 - __builtin_clz(w); bit >= 0; --bit) {
    const bool one_more = w >> bit & 1;
    const bool last = bit == 0;
    wanted -= s;
    multiply_add(from, power, from + s, wanted, last && !one_more ? out : sums);
    from = sums;
    power = hd::multiply_mod(power, power);
    s *= 2;
    if (!one_more) continue;
    wanted -= 1;
    multiply_add(from, keys.base, values + s, wanted, last ? out : sums);
    power = hd::multiply_mod(power, keys.base);
    s += 1;
  }
}

constexpr uint32_t kMostGrown = 64;

// Requires: 2 ≤ w ≤ kMostGrown.
inline void grow_in_blocks(const ShingleKeys& keys, uint32_t w, const uint64_t* values,
                           size_t shingles, uint64_t* out) {
  uint64_t sums[2 * kBlock + kMostGrown];
  for (size_t at = 0; at < shingles; at += 2 * kBlock)
    grow_windows(keys, w, values + at, smaller(shingles - at, 2 * kBlock), sums, out + at);
}

#endif

inline uint64_t roll_to(const ShingleKeys& keys, uint32_t w, const uint64_t* values, size_t window,
                        uint64_t shingle_before) {
  return hd::roll(shingle_before, values[window + w - 1], values[window - 1], keys.base,
                  keys.base_to_w);
}

// Rolls the windows in kAtOnce runs side by side.
inline void roll_runs(const ShingleKeys& keys, uint32_t w, const uint64_t* values, size_t shingles,
                      uint64_t* out) {
  constexpr size_t kAtOnce = 4;
  const size_t run = shingles / kAtOnce >= w ? shingles / kAtOnce : 0;  // each starts from nothing
  uint64_t shingle[kAtOnce];
  for (size_t k = 0; run != 0 && k < kAtOnce; ++k)
    out[k * run] = shingle[k] = hd::shingle_of(keys.base, values + k * run, w);
  for (size_t i = 1; i < run; ++i) {
    for (size_t k = 0; k < kAtOnce; ++k)
      out[k * run + i] = shingle[k] = roll_to(keys, w, values, k * run + i, shingle[k]);
  }
  if (run == 0) out[0] = hd::shingle_of(keys.base, values, w);
  for (size_t i = run == 0 ? 1 : kAtOnce * run; i < shingles; ++i)
    out[i] = roll_to(keys, w, values, i, out[i - 1]);
}

size_t elements(const ShingleKeys& keys, uint32_t w, const uint64_t* values, size_t count,
                uint64_t* out) {
  if (count <= w) {
    out[0] = hd::shingle_of(keys.base, values, count);
    return 1;
  }
  const size_t shingles = count - w + 1;
#if defined(__AVX512DQ__)
  if (w >= 2 && w <= kMostGrown) {
    grow_in_blocks(keys, w, values, shingles, out);
    return shingles;
  }
#endif
  roll_runs(keys, w, values, shingles, out);
  return shingles;
}

}  // namespace
}  // namespace neardup
