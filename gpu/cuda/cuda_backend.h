// Sketches on a GPU (docs/gpu.md).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "gpu/backend.h"
#include "gpu/cuda/piece_builder.h"

namespace neardup::cuda {

// Why this machine cannot run it, or nothing: no driver, no device, too old a device.
std::string why_not(const GpuOptions& options);

// Allocates all memory at once. Throws Failure(kConfig) where why_not() tells why, or when there is
// too little memory; DeviceFailure when the device fails. Texts that do not fit into its memory are
// left to `cpu`, which must outlive it.
std::unique_ptr<Backend> make_cuda_backend(const GpuOptions& options, const SketchPlan& plan,
                                           Backend& cpu);

// The same in pieces of at most `limits`, for tests.
std::unique_ptr<Backend> make_cuda_backend(std::uint32_t device, const PieceLimits& limits,
                                           const SketchPlan& plan, Backend& cpu);

}  // namespace neardup::cuda
