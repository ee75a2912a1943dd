// The engine `scan`: compares the query with every packed 1-bit sketch. Needs no index, and finds
// the nearest by Hamming distance exactly.
#pragma once

#include <memory>

#include "gpu/backend.h"
#include "gpu/search/device_rows.h"
#include "gpu/search/retried_device.h"
#include "pipeline/search/engine.h"

namespace neardup {

// `device`, if not null, has rows of the shape; while it has failed, the CPU searches, with the
// same result. Throws Failure(kConfig) when this machine lacks cpu.simd.
std::unique_ptr<SearchEngine> make_scan_engine(
    const SketchShape& shape, const CpuOptions& cpu,
    std::unique_ptr<RetriedDevice<DeviceRows>> device = nullptr);

}  // namespace neardup
