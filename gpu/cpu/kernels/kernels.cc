#include "gpu/cpu/kernels/kernels.h"

#include "gpu/cpu/kernels/levels.h"

namespace neardup {

const Kernels& kernels(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return kernels_avx512();
  if (level == SimdLevel::kAvx2) return kernels_avx2();
#endif
  (void)level;
  return kernels_portable();
}

Kernels::Hamming Kernels::hamming(BitCount method) const {
  switch (method) {
    case BitCount::kAuto:
    case BitCount::kHardware:
      return hamming_hardware;
    case BitCount::kWordParallel:
      return hamming_word_parallel;
    case BitCount::kDivideAndConquer:
      return hamming_divide_and_conquer;
    case BitCount::kNaive:
      return hamming_naive;
  }
  return hamming_hardware;
}

}  // namespace neardup
