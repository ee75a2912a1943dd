// What the sketches promise of their estimates, as test assertions. The quick tests and the slow
// ones differ in sizes and repetitions alone.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "gpu/options.h"
#include "tests/statistics/experiment.h"

namespace neardup::statistics {

inline constexpr double kStandardErrors = 4;

inline SketchOptions fast_similarity(std::uint32_t size) {
  SketchOptions sketch;
  sketch.size = size;
  return sketch;
}

inline SketchOptions minhash(MinhashHash hash, std::uint32_t size, std::uint64_t universe = 0) {
  SketchOptions sketch;
  sketch.family = SketchFamily::kMinhash;
  sketch.hash = hash;
  sketch.size = size;
  sketch.universe = universe;
  return sketch;
}

inline std::string describe(const Outcome& outcome) {
  const SketchOptions& sketch = outcome.sketch;
  const bool fast = sketch.family == SketchFamily::kFastSimilarity;
  return std::string(fast ? "fast_similarity" : names(sketch.hash)[static_cast<int>(sketch.hash)]) +
         " " + std::to_string(sketch.size) + " × " + std::to_string(sketch.bits) +
         " bits, sets of " + std::to_string(outcome.overlap.size) + " and " +
         std::to_string(outcome.overlap.other) +
         ", J = " + std::to_string(outcome.overlap.jaccard());
}

// The mean over the repetitions is within 4 standard errors of the similarity. Unequal sets agree
// too seldom to measure the error from the sample; there it is that of independent values.
inline void expect_unbiased(const Outcome& outcome) {
  const double j = outcome.overlap.jaccard();
  const double variance = j == 0 ? outcome.independent_variance() : outcome.estimates.variance();
  const double error = std::sqrt(variance / outcome.estimates.count());
  EXPECT_NEAR(outcome.estimates.mean(), j, kStandardErrors * error) << describe(outcome);
}

// The paper's constants hold where D/|S| ≥ 2^(b + 4) and b ≤ 8.
inline bool constants_hold(const Outcome& outcome) {
  const std::size_t larger = std::max(outcome.overlap.size, outcome.overlap.other);
  return outcome.sketch.bits <= 8 && outcome.sketch.universe / larger >= std::uint64_t{16}
                                                                             << outcome.sketch.bits;
}

// Are there enough chance agreements to speak of a variance?
inline bool has_variance(const Outcome& outcome) {
  const double agreements = outcome.independent_variance() * outcome.sketch.size *
                            outcome.sketch.size * outcome.estimates.count();
  return agreements > 1000 && outcome.overlap.jaccard() < 1;
}

inline void expect_variance_of_independent_values(const Outcome& outcome) {
  if (!has_variance(outcome)) return;
  const double ratio = outcome.estimates.variance() / outcome.independent_variance();
  EXPECT_NEAR(ratio, 1, 0.1) << describe(outcome);
}

inline void expect_variance_of_at_most_independent_values(const Outcome& outcome) {
  if (!has_variance(outcome)) return;
  const double ratio = outcome.estimates.variance() / outcome.independent_variance();
  EXPECT_LT(ratio, 1.1) << describe(outcome);
}

}  // namespace neardup::statistics
