#include "gpu/cpu/kernels_impl.h"
#include "gpu/cpu/kernels_levels.h"

namespace neardup {

const Kernels& kernels_avx512() { return kLevelKernels; }

}  // namespace neardup
