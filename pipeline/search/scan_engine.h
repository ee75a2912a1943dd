// The engine `scan`: compares the query with every packed 1-bit sketch. Needs no index, and finds
// the nearest by Hamming distance exactly.
#pragma once

#include <memory>

#include "gpu/backend.h"
#include "pipeline/search/engine.h"

namespace neardup {

// Throws Failure(kConfig) when this machine lacks cpu.simd.
std::unique_ptr<SearchEngine> make_scan_engine(const SketchShape& shape, const CpuOptions& cpu);

}  // namespace neardup
