// Part of impl.h: winning values of the minwise families.
#pragma once

#include "gpu/cpu/kernels/impl_types.h"
#include "gpu/cpu/kernels/modular_impl.h"
#include "gpu/hd/minhash.h"

namespace neardup {
namespace {

// Winning values of k functions, blocked so that the elements stay in the first-level cache.
template <class Value>
inline void minima(uint32_t k, ElementSpan set, uint64_t* winners, Value value) {
  for (uint32_t j = 0; j < k; ++j) winners[j] = ~uint64_t{0};
  for (size_t begin = 0; begin < set.size; begin += kBlock) {
    const size_t end = set.size - begin < kBlock ? set.size : begin + kBlock;
    for (uint32_t j = 0; j < k; ++j) {
      uint64_t smallest = winners[j];
      for (size_t i = begin; i < end; ++i) {
        const uint64_t hash = value(j, set.data[i]);
        smallest = hash < smallest ? hash : smallest;
      }
      winners[j] = smallest;
    }
  }
}

#if defined(__AVX512DQ__)

// hd::TwoUniversal and hd::FourUniversal, eight elements at once.
inline __m512i value(const hd::TwoUniversal& function, __m512i x) {
  return multiply_add(halves(x), halves(all_lanes(function.c2)), all_lanes(function.c1));
}
inline __m512i value(const hd::FourUniversal& function, __m512i element) {
  const Halves x = halves(element);
  __m512i sum = multiply_add(x, halves(all_lanes(function.c4)), all_lanes(function.c3));
  sum = multiply_add(halves(sum), x, all_lanes(function.c2));
  return multiply_add(halves(sum), x, all_lanes(function.c1));
}

template <class Function>
inline void minima_whole_field(const Function* functions, uint32_t k, ElementSpan set,
                               uint64_t* winners) {
  const __m512i none = all_lanes(~uint64_t{0});
  for (uint32_t j = 0; j < k; ++j) {
    __m512i smallest = none;
    for (size_t i = 0; i < set.size; i += 8) {
      const __mmask8 mask = lanes(set.size - i);
      const __m512i hash = value(functions[j], _mm512_maskz_loadu_epi64(mask, set.data + i));
      smallest = _mm512_mask_min_epu64(smallest, mask, smallest, hash);
    }
    winners[j] = _mm512_reduce_min_epu64(smallest);
  }
}

#else

template <class Function>
inline void minima_whole_field(const Function* functions, uint32_t k, ElementSpan set,
                               uint64_t* winners) {
  minima(k, set, winners, [=](uint32_t j, uint64_t x) { return functions[j].value(x); });
}

#endif

template <class Function>
inline void minima_mod(const Function* functions, uint32_t k, uint64_t universe, ElementSpan set,
                       uint64_t* winners) {
  if (universe == 0) {
    minima_whole_field(functions, k, set, winners);
  } else {
    minima(k, set, winners,
           [=](uint32_t j, uint64_t x) { return functions[j].value(x) % universe; });
  }
}

void two_universal(const hd::TwoUniversal* functions, uint32_t k, uint64_t universe,
                   ElementSpan set, uint64_t* winners) {
  minima_mod(functions, k, universe, set, winners);
}

void four_universal(const hd::FourUniversal* functions, uint32_t k, uint64_t universe,
                    ElementSpan set, uint64_t* winners) {
  minima_mod(functions, k, universe, set, winners);
}

void multiply_shift(const hd::MultiplyShift* functions, uint32_t k, ElementSpan set,
                    uint64_t* winners) {
  minima(k, set, winners, [=](uint32_t j, uint64_t x) { return functions[j].value(x); });
}

// So many functions that their winners stay in the first-level cache while all elements pass by.
constexpr uint32_t kFunctionsAtOnce = 512;

// The values of an element are anywhere in memory: they are fetched while those before are read.
constexpr size_t kElementsAhead = 2;

inline void fetch(const uint32_t* values, uint32_t count) {
  for (uint32_t j = 0; j < count; j += 16) __builtin_prefetch(values + j);
}

void permutation(const uint32_t* matrix, uint32_t k, ElementSpan set, uint64_t* winners) {
  for (uint32_t first = 0; first < k; first += kFunctionsAtOnce) {
    const uint32_t count = k - first < kFunctionsAtOnce ? k - first : kFunctionsAtOnce;
    const auto values_of = [=](uint64_t x) { return matrix + x * k + first; };
    uint32_t smallest[kFunctionsAtOnce];
    for (uint32_t j = 0; j < count; ++j) smallest[j] = ~uint32_t{0};
    for (size_t i = 0; i < set.size; ++i) {
      if (i + kElementsAhead < set.size) fetch(values_of(set.data[i + kElementsAhead]), count);
      const uint32_t* const values = values_of(set.data[i]);
      for (uint32_t j = 0; j < count; ++j) {
        smallest[j] = values[j] < smallest[j] ? values[j] : smallest[j];
      }
    }
    for (uint32_t j = 0; j < count; ++j) winners[first + j] = smallest[j];
  }
}

}  // namespace
}  // namespace neardup
