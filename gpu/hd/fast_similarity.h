// Fast similarity sketching (Dahlgaard, Knudsen, Thorup, FOCS 2017, §2): one element in one round.
#pragma once

#include "gpu/hd/arithmetic.h"

namespace neardup::hd {

inline constexpr u64 kEmptyBin = ~u64{0};

NEARDUP_HD u64 round_hash(u64 element, u64 round_key) { return mix64(element ^ round_key); }

NEARDUP_HD u32 bin_of(u64 hash, u32 bins) { return static_cast<u32>(((hash >> 32) * bins) >> 32); }

// The order of values in a bin: earlier rounds win, then the smaller hash. The smallest is the
// winning value.
NEARDUP_HD u64 bin_value(u64 hash, u32 round) { return (u64{round} << 32) | (hash & 0xffffffff); }

}  // namespace neardup::hd
