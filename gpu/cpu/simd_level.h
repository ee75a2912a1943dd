// Which vector instructions this machine has. Every level gives the same bits; only speed differs.
#pragma once

#include "gpu/options.h"

namespace neardup {

// kAuto becomes the best level of this machine; any other level is returned unchanged.
// Throws Failure(kConfig) when the machine lacks that level.
// avx2: AVX2, BMI1, BMI2, POPCNT. avx512: F, BW, DQ, VL, VBMI, VBMI2, BITALG, VPOPCNTDQ (Ice Lake,
// Zen 4).
SimdLevel resolve_simd(SimdLevel wanted);

bool has_simd(SimdLevel level);

}  // namespace neardup
