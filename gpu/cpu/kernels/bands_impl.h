// Part of impl.h: packed row → band keys, as hd::band_key gives them one by one.
#pragma once

#include "gpu/cpu/kernels/impl_types.h"
#include "gpu/hd/pack.h"

namespace neardup {
namespace {

// All bands take a step together, so that the mixing is done for several of them at once.
void band_keys(const uint64_t* row, uint32_t bits, uint32_t bands, uint32_t rows,
               const uint64_t* keys, uint64_t namespace_hash, uint64_t* buckets) {
  for (uint32_t band = 0; band < bands; ++band)
    buckets[band] = hd::mix64(keys[band] ^ namespace_hash);
  const uint32_t band_bits = rows * bits;
  for (uint32_t from = 0; from < band_bits; from += 64) {
    const auto count = static_cast<uint32_t>(smaller(band_bits - from, 64));
    for (uint32_t band = 0; band < bands; ++band)
      buckets[band] ^= hd::bit_range(row, band * band_bits + from, count);
    for (uint32_t band = 0; band < bands; ++band)
      buckets[band] = hd::mix64(buckets[band] + hd::kGolden);
  }
}

}  // namespace
}  // namespace neardup
