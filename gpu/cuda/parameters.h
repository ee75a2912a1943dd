// What a plan and its keys are to the kernels.
#pragma once

#include "gpu/cuda/piece.h"
#include "gpu/keys.h"

namespace neardup::cuda {

// The arrays of `keys` are not copied: the result looks into them.
Parameters parameters_of(const SketchPlan& plan, const SketchKeys& keys);

}  // namespace neardup::cuda
