#include "gpu/cuda/parameters.h"

namespace neardup::cuda {

Parameters parameters_of(const SketchPlan& plan, const SketchKeys& keys) {
  const SketchOptions& sketch = plan.sketch;
  return {
      .unit = plan.shingle.unit,
      .shingle_size = plan.shingle.size,
      .token = keys.shingle.token,
      .base = keys.shingle.base,
      .base_to_w = keys.shingle.base_to_w,
      .family = sketch.family,
      .hash = sketch.hash,
      .slots = sketch.size,
      .bits = sketch.bits,
      .bands = plan.bands,
      .rows = plan.rows,
      .universe = sketch.universe,
      .permutation = is_permutation(sketch),
      .round_keys = keys.rounds.data(),
      .two_universal = keys.two_universal.data(),
      .four_universal = keys.four_universal.data(),
      .multiply_shift = keys.multiply_shift.data(),
      .permutations = keys.permutations.data(),
      .band_keys = keys.bands.data(),
  };
}

}  // namespace neardup::cuda
