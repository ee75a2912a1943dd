// The SIMD levels of this machine, as test parameters.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gpu/cpu/simd_level.h"
#include "gpu/options.h"

namespace neardup {

inline std::vector<SimdLevel> levels() {
  std::vector<SimdLevel> found;
  for (SimdLevel level : {SimdLevel::kPortable, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (has_simd(level)) found.push_back(level);
  }
  return found;
}

inline std::string level_name(const testing::TestParamInfo<SimdLevel>& info) {
  return std::string(name(info.param));
}

}  // namespace neardup
