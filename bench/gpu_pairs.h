// Candidate pairs, and small packed sketches, for bench/gpu.
#pragma once

#include "bench/gpu_rows.h"

namespace neardup::bench {

// Filter and estimate of `documents` with `each` candidates among `rows`.
void measure_pairs(const GpuRows& out, const char* stage, std::size_t documents, std::size_t each,
                   std::size_t rows);

// Distances to small sketches packed in words, on a device only: word-parallel, with
// counts of several words in one, and one popcount a sketch. Throws when one is wrong.
void measure_packed(const GpuRows& out);

}  // namespace neardup::bench
