#include "gpu/cpu/kernels/impl.h"
#include "gpu/cpu/kernels/levels.h"

namespace neardup {

const Kernels& kernels_avx2() { return kLevelKernels; }

}  // namespace neardup
