#include "gpu/backends.h"

#include <fmt/core.h>

#include "gpu/cpu/cpu_backend.h"
#include "gpu/shared_backend.h"
#include "pipeline/base/failure.h"

#if defined(NEARDUP_CUDA)
#include "gpu/cuda/cuda_backend.h"
#endif

namespace neardup {
namespace {

// The backend on a GPU, or null and the reason why there is none.
#if defined(NEARDUP_CUDA)

constexpr bool kHasCuda = true;
constexpr std::chrono::seconds kRetryAfter{30};

std::unique_ptr<Backend> make_gpu_backend(const BackendOptions& options, const SketchPlan& plan,
                                          std::string& why_not) {
  why_not = why_no_gpu(options.gpu);
  if (!why_not.empty()) return nullptr;
  auto cpu = make_cpu_backend(options.cpu, plan);
  Backend& for_what_is_too_large = *cpu;
  const auto make = [=, &for_what_is_too_large] {
    return cuda::make_cuda_backend(options.gpu, plan, for_what_is_too_large);
  };
  try {
    return std::make_unique<SharedBackend>(make, std::move(cpu), kRetryAfter);
  } catch (const std::runtime_error& failure) {  // DeviceFailure, or too little gpu.memory
    why_not = failure.what();
    return nullptr;
  }
}

#else

constexpr bool kHasCuda = false;

std::unique_ptr<Backend> make_gpu_backend(const BackendOptions& options, const SketchPlan&,
                                          std::string& why_not) {
  why_not = why_no_gpu(options.gpu);
  return nullptr;
}

#endif

}  // namespace

std::string why_no_gpu([[maybe_unused]] const GpuOptions& options) {
#if defined(NEARDUP_CUDA)
  return cuda::why_not(options);
#else
  return "this build has no CUDA backend";
#endif
}

std::unique_ptr<Backend> make_backend(const BackendOptions& options, const SketchPlan& plan) {
  if (options.name == BackendName::kCpu) return make_cpu_backend(options.cpu, plan);
  std::string why_not;
  if (auto backend = make_gpu_backend(options, plan, why_not)) return backend;
  if (options.name == BackendName::kCuda) {
    throw Failure(Exit::kConfig, fmt::format("backend: cuda: {}; use auto or cpu", why_not));
  }
  return make_cpu_backend(options.cpu, plan, kHasCuda ? "; no GPU: " + why_not : "");
}

}  // namespace neardup
