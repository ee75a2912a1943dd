#include "gpu/cpu/kernels/impl.h"
#include "gpu/cpu/kernels/levels.h"

namespace neardup {

const Kernels& kernels_portable() { return kLevelKernels; }

}  // namespace neardup
