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

#if defined(NEARDUP_CUDA)

// A shorter run does not wait for a device at its end, either.
constexpr std::chrono::seconds kStartAfter{1};
constexpr std::chrono::seconds kRetryAfter{30};

// `auto` starts the device once there is more to do than starting it takes. Throws what
// make_backend throws.
std::unique_ptr<Backend> make_gpu_backend(const BackendOptions& options, const SketchPlan& plan) {
  auto cpu = make_cpu_backend(options.cpu, plan);
  Backend& for_what_is_too_large = *cpu;
  const auto make = [=, &for_what_is_too_large] {
    const std::string reason = why_no_gpu(options.gpu);
    if (!reason.empty()) throw DeviceFailure(reason);
    return cuda::make_cuda_backend(options.gpu, plan, for_what_is_too_large);
  };
  if (options.name == BackendName::kCuda)
    return std::make_unique<SharedBackend>(make, std::move(cpu), kRetryAfter);
  if (!cuda::has_driver())
    return make_cpu_backend(options.cpu, plan, "; no GPU: there is no NVIDIA driver");
  return std::make_unique<SharedBackend>(make, std::move(cpu), kStartAfter, kRetryAfter);
}

#else

std::unique_ptr<Backend> make_gpu_backend(const BackendOptions& options, const SketchPlan& plan) {
  if (options.name == BackendName::kCuda) throw DeviceFailure(why_no_gpu(options.gpu));
  return make_cpu_backend(options.cpu, plan);
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
  try {
    return make_gpu_backend(options, plan);
  } catch (const DeviceFailure& failure) {
    throw Failure(Exit::kConfig, fmt::format("backend: cuda: {}; use auto or cpu", failure.what()));
  }
}

}  // namespace neardup
