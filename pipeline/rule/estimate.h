// Counts of equal b-bit values → similarity (Li, König, "b-Bit Minwise Hashing", WWW 2010, Theorem
// 1), and the counts that a threshold asks for. Counts and integers decide; intervals are only
// printed.
#pragma once

#include <cstdint>

#include "gpu/sketch_plan.h"
#include "pipeline/model/types.h"

namespace neardup {

struct Estimate {
  Ppm similarity = 0;  // to the nearest thousandth
  Ppm low = 0;         // 95 % interval (Wilson 1927), nearest thousandths
  Ppm high = 0;
};

// Distinct shingles of the two documents; only the permutation family uses them.
struct SetSizes {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

class Estimator {
 public:
  Estimator(const SketchPlan& plan, Ppm threshold);

  // The smallest count whose estimate reaches the threshold.
  std::uint32_t decision_count(SetSizes sizes = {}) const;

  // A count that a pair exactly at the threshold misses with probability below 1e-4 (binomial). A
  // candidate with a smaller count is not worth exact verification.
  std::uint32_t lower_count() const { return lower_count_; }

  Estimate estimate(std::uint32_t count, SetSizes sizes = {}) const;

  // The estimate to the nearest millionth, in [0, 1].
  Ppm similarity_ppm(std::uint32_t count, SetSizes sizes = {}) const;

 private:
  // C1 and C2 of the estimator R = (P − C1) / (1 − C2), as fractions of 2^60.
  struct Constants {
    std::uint64_t c1;
    std::uint64_t c2;
  };
  Constants constants(SetSizes sizes) const;

  SketchPlan plan_;
  Ppm threshold_;
  std::uint32_t plain_decision_count_ = 0;
  std::uint32_t lower_count_ = 0;
};

}  // namespace neardup
