// Sketches on a GPU (docs/gpu.md).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "gpu/backend.h"
#include "gpu/cuda/piece_builder.h"

namespace neardup::cuda {

// Whether an NVIDIA driver is installed; starts nothing, unlike why_not.
bool has_driver();

// Why this machine cannot run the backend (no driver, no device, too old a device); empty when it
// can.
std::string why_not(const GpuOptions& options);

// Allocates all memory at once. Requires: why_not(options) is empty. Throws Failure(kConfig) when
// gpu.memory is too small, and DeviceFailure when the device fails. `cpu`, which must outlive the
// backend, sketches the texts that are too large for a piece.
std::unique_ptr<Backend> make_cuda_backend(const GpuOptions& options, const SketchPlan& plan,
                                           Backend& cpu);

// The same in pieces of at most `limits`, for tests.
std::unique_ptr<Backend> make_cuda_backend(std::uint32_t device, const PieceLimits& limits,
                                           const SketchPlan& plan, Backend& cpu);

}  // namespace neardup::cuda
