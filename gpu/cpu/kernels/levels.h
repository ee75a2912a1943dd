// The kernel table of each SIMD level; kernels() chooses one.
#pragma once

#include "gpu/cpu/kernels/kernels.h"

namespace neardup {

const Kernels& kernels_portable();
const Kernels& kernels_avx2();    // Requires: has_simd(kAvx2)
const Kernels& kernels_avx512();  // Requires: has_simd(kAvx512)

}  // namespace neardup
