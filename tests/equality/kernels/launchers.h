// Where the kernels run: on the host, one thread after the other, or on a device.
#pragma once

#include <memory>
#include <string>

#include "gpu/backends.h"
#include "gpu/cpu/cpu_backend.h"
#include "serial_backend.h"

#if defined(NEARDUP_CUDA)
#include "gpu/cuda/cuda_backend.h"
#endif

namespace neardup {

enum class Launcher { kSerial, kDevice };

// Why kernels cannot run there, or nothing.
inline std::string why_not(Launcher launcher) {
  return launcher == Launcher::kSerial ? "" : why_no_gpu({});
}

// Requires: why_not() is empty.
inline std::unique_ptr<Backend> make_kernels(Launcher launcher, const SketchPlan& plan,
                                             const cuda::PieceLimits& limits) {
#if defined(NEARDUP_CUDA)
  // What does not fit is the CPU's, that is the tests' mistake here.
  class Nobody : public Backend {
    void sketch(const TextBatch&, std::span<const SketchTask>, SketchRows&) override {
      throw DeviceFailure("a text that fits into no piece");
    }
    std::string description() const override { return "nobody"; }
  };
  static Nobody nobody;
  if (launcher == Launcher::kDevice) return cuda::make_cuda_backend(0, limits, plan, nobody);
#endif
  (void)launcher;
  return std::make_unique<cuda::SerialBackend>(plan, limits);
}

}  // namespace neardup
