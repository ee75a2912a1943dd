// The CPU backend: loops over gpu/hd with the best vector instructions of the machine.
#pragma once

#include <memory>
#include <string_view>

#include "gpu/backend.h"

namespace neardup {

// `note` is appended to the description. Throws Failure(kConfig) when this machine lacks cpu.simd.
std::unique_ptr<Backend> make_cpu_backend(const CpuOptions& options, const SketchPlan& plan,
                                          std::string_view note = {});

}  // namespace neardup
