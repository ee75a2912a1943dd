#include "gpu/backend.h"

#include <fmt/core.h>

#include "gpu/cpu/cpu_backend.h"
#include "gpu/fallback_backend.h"
#include "gpu/keys.h"
#include "pipeline/core/failure.h"

#if defined(NEARDUP_CUDA)
#include "gpu/cuda/cuda_backend.h"
#endif

namespace neardup {
namespace {

constexpr std::chrono::seconds kRetryAfter{30};

#if defined(NEARDUP_CUDA)

std::string why_no_gpu(const GpuOptions& options) { return cuda::why_not(options); }

std::unique_ptr<Backend> make_gpu_backend(const BackendOptions& options, const SketchPlan& plan) {
  auto cpu = make_cpu_backend(options.cpu, plan);
  Backend& fallback = *cpu;
  return std::make_unique<FallbackBackend>(
      [=, &fallback] { return cuda::make_cuda_backend(options.gpu, plan, fallback); },
      std::move(cpu), kRetryAfter);
}

#else

std::string why_no_gpu(const GpuOptions&) { return "this build has no CUDA backend"; }

std::unique_ptr<Backend> make_gpu_backend(const BackendOptions& options, const SketchPlan& plan) {
  return make_cpu_backend(options.cpu, plan);
}

#endif

}  // namespace

std::unique_ptr<Backend> make_backend(const BackendOptions& options, const SketchPlan& plan) {
  if (options.name == BackendName::kCpu) return make_cpu_backend(options.cpu, plan);
  const bool must = options.name == BackendName::kCuda;
  std::string reason = why_no_gpu(options.gpu);
  if (reason.empty()) {
    try {
      return make_gpu_backend(options, plan);
    } catch (const DeviceFailure& failure) {
      reason = failure.what();
    } catch (const Failure& failure) {
      if (must) throw;
      reason = failure.what();
    }
  }
  if (must) {
    throw Failure(Exit::kConfig, "backend: cuda: " + reason + "; use auto or cpu");
  }
  return make_cpu_backend(options.cpu, plan);
}

std::uint64_t hash_namespace(const Seed& seed, std::string_view name_space) {
  // The loads of the hash may read 16 bytes past the end.
  std::string padded(name_space);
  padded.append(16, '\0');
  return hd::hash_bytes(make_token_keys(seed), padded.data(), name_space.size());
}

}  // namespace neardup
