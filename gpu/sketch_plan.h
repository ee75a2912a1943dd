// All that fixes the bits of a sketch and its band keys.
#pragma once

#include <cstdint>

#include "gpu/options.h"
#include "pipeline/model/sketched_batch.h"

namespace neardup {

struct SketchPlan {
  ShingleOptions shingle;
  SketchOptions sketch;
  std::uint32_t bands = 0;
  std::uint32_t rows = 0;
  SketchShape shape() const { return {sketch.size, sketch.bits, bands, rows}; }
};

}  // namespace neardup
