// b-bit sketches as sparse vectors for linear classifiers: each value becomes 2^b places of which
// one holds a 1, so the inner product of two vectors is the count of equal values (Li, Shrivastava,
// König 2012, §1: b-bit minwise hashing for learning). In the format of LIBSVM.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/model/sketched_batch.h"

namespace neardup {

// Places of a vector: slots · 2^bits.
std::uint64_t feature_count(const SketchShape& shape);

// LIBSVM numbers places from 1 by 32-bit signed integers.
inline constexpr std::uint64_t kMostFeatures = (std::uint64_t{1} << 31) - 1;

// Appends a line: label 0, then PLACE:1 for each slot, ascending. Requires: feature_count(shape) <=
// kMostFeatures.
void append_features(const SketchShape& shape, const std::uint64_t* sketch, std::string& out);

}  // namespace neardup
