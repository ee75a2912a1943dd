// The hash functions of error weighted hashing: each takes some bits of a string.
#pragma once

#include "gpu/cuda/group.h"

namespace neardup::cuda {

struct SampledBits {
  const u32* positions;  // functions × bits; a position may occur more than once
  u32 functions;
  u32 bits;  // of a key: 1 … 24

  NEARDUP_HD u32 keys() const { return u32{1} << bits; }
  NEARDUP_HD u32 key(u32 function, const u64* string) const {
    const u32* const own = positions + u64{function} * bits;
    u32 key = 0;
    for (u32 i = 0; i < bits; ++i) key = key << 1 | (string[own[i] / 64] >> (own[i] % 64) & 1);
    return key;
  }
};

}  // namespace neardup::cuda
