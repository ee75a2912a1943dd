#include "service/verify_vectors.h"

#include <fmt/core.h>

#include "gpu/cpu/simd_level.h"
#include "pipeline/core/failure.h"
#include "service/commands/commands.h"

namespace neardup {
namespace {

bool verify(SimdLevel level) {
  const VectorReport report = verify_vectors(built_in_vectors(), level);
  if (report.wrong == 0) {
    fmt::print("cpu {}: {} cases, all right\n", simd_name(level), report.cases);
    return true;
  }
  fmt::print("cpu {}: {} of {} cases wrong\n", simd_name(level), report.wrong, report.cases);
  for (const std::string& line : report.mismatches) fmt::print("  {}\n", line);
  return false;
}

}  // namespace

int run_verify_vectors(const CommandLine&) {
  bool right = true;
  for (SimdLevel level : {SimdLevel::kPortable, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (has_simd(level)) right = verify(level) && right;
  }
  return right ? 0 : static_cast<int>(Exit::kInternal);
}

}  // namespace neardup
