#include "gpu/cpu/simd_level.h"

#include <string>

#include "gpu/options.h"
#include "pipeline/base/failure.h"

namespace neardup {

bool has_simd(SimdLevel level) {
  switch (level) {
    case SimdLevel::kAuto:
    case SimdLevel::kPortable:
      return true;
#if defined(__x86_64__)
    case SimdLevel::kAvx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
             __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    case SimdLevel::kAvx512:
      return has_simd(SimdLevel::kAvx2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
             __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
             __builtin_cpu_supports("avx512vpopcntdq");
#else
    case SimdLevel::kAvx2:
    case SimdLevel::kAvx512:
      return false;
#endif
  }
  return false;
}

SimdLevel resolve_simd(SimdLevel wanted) {
  if (wanted == SimdLevel::kAuto) {
    for (SimdLevel level : {SimdLevel::kAvx512, SimdLevel::kAvx2}) {
      if (has_simd(level)) return level;
    }
    return SimdLevel::kPortable;
  }
  if (!has_simd(wanted)) {
    throw Failure(Exit::kConfig, "cpu.simd: this machine has no " + std::string(name(wanted)) +
                                     "; use auto, or portable, which every machine has");
  }
  return wanted;
}

}  // namespace neardup
