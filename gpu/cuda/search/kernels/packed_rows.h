// Packed 1-bit sketches, or other strings of bits, in the memory of kernels.
#pragma once

#include "gpu/cuda/group.h"
#include "gpu/hd/bit_count.h"

namespace neardup::cuda {

// Row-major.
struct PackedRows {
  const u64* words;  // count × words_each
  u32 count;
  u32 words_each;

  NEARDUP_HD const u64* row(u64 i) const { return words + i * words_each; }
};

// A row that is near a query.
struct NearHit {
  u32 distance;  // differing bits
  u32 row;
};

NEARDUP_HD u32 differing_bits(const u64* a, const u64* b, u32 words) {
  u32 distance = 0;
  for (u32 i = 0; i < words; ++i) distance += hd::count_hardware(a[i] ^ b[i]);
  return distance;
}

}  // namespace neardup::cuda
