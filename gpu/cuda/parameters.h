// The parameters of the kernels, made from a plan and its keys.
#pragma once

#include "gpu/cuda/piece.h"
#include "gpu/keys.h"

namespace neardup::cuda {

// The result points into the arrays of `keys`.
Parameters parameters_of(const SketchPlan& plan, const SketchKeys& keys);

}  // namespace neardup::cuda
