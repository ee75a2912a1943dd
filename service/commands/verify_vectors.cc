#include "service/vectors/verify_vectors.h"

#include <fmt/core.h>

#include "gpu/backends.h"
#include "gpu/cpu/simd_level.h"
#include "gpu/options.h"
#include "pipeline/base/failure.h"
#include "service/commands/commands.h"

namespace neardup {
namespace {

constexpr std::uint64_t kGpuMemory = std::uint64_t{128} << 20;  // the texts are short

bool show(std::string_view who, const VectorReport& report) {
  if (report.wrong == 0) {
    fmt::print("{}: {} cases, all right\n", who, report.cases);
    return true;
  }
  fmt::print("{}: {} of {} cases wrong\n", who, report.wrong, report.cases);
  for (const std::string& line : report.mismatches) fmt::print("  {}\n", line);
  return false;
}

bool verify_cpu(SimdLevel level) {
  return show(fmt::format("cpu {}", name(level)), verify_vectors(built_in_vectors(), level));
}

// Passes only if the device computed every case.
bool verify_gpu() {
  const GpuOptions gpu{0, kGpuMemory};
  if (const std::string reason = why_no_gpu(gpu); !reason.empty()) {
    fmt::print("cuda: skipped, {}\n", reason);
    return true;
  }
  const VectorReport report = verify_rows(built_in_vectors(), [&](const SketchPlan& plan) {
    return make_backend({BackendName::kCuda, {}, gpu}, plan);
  });
  if (report.backends.failures != 0 || report.backends.times.pieces < report.cases) {
    fmt::print("cuda: the device did not do all: {}\n", report.backends.last_failure);
    return false;
  }
  return show("cuda", report);
}

}  // namespace

int run_verify_vectors(const CommandLine&) {
  bool right = true;
  for (SimdLevel level : {SimdLevel::kPortable, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (has_simd(level)) right = verify_cpu(level) && right;
  }
  right = verify_gpu() && right;
  return right ? 0 : static_cast<int>(Exit::kInternal);
}

}  // namespace neardup
