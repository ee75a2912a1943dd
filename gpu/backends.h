// The list of all backends: which one runs is chosen here.
#pragma once

#include <memory>
#include <string>

#include "gpu/backend.h"
#include "gpu/options.h"

namespace neardup {

// Throws Failure(kConfig) when `name` asks for a backend or SIMD level that this machine or build
// does not have. kAuto takes the best that works.
std::unique_ptr<Backend> make_backend(const BackendOptions& options, const SketchPlan& plan);

// Why `backend: cuda` cannot work on this machine; empty when it can.
std::string why_no_gpu(const GpuOptions& options);

}  // namespace neardup
