#include "pipeline/rule/estimate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace neardup::TEST_FILE {
namespace {

SketchPlan plan_of(std::uint32_t size, std::uint32_t bits) {
  SketchPlan plan;
  plan.sketch.size = size;
  plan.sketch.bits = bits;
  return plan;
}

SketchPlan permutation(std::uint32_t size, std::uint32_t bits, std::uint64_t universe) {
  SketchPlan plan = plan_of(size, bits);
  plan.sketch.family = SketchFamily::kMinhash;
  plan.sketch.hash = MinhashHash::kPermutation;
  plan.sketch.universe = universe;
  return plan;
}

// P[X < count] of a binomial(n, p).
double binomial_below(std::uint32_t n, double p, std::uint32_t count) {
  double sum = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) +
                    i * std::log(p) + (n - i) * std::log1p(-p));
  }
  return sum;
}

TEST(Estimate, counts_of_the_defaults_are_those_of_the_design) {
  const Estimator estimator(plan_of(256, 8), 800'000);
  EXPECT_EQ(estimator.decision_count(), 205u);
  EXPECT_EQ(estimator.lower_count(), 180u);
}

TEST(Estimate, decision_count_is_the_smallest_whose_estimate_reaches_the_threshold) {
  for (std::uint32_t size : {1u, 16u, 63u, 100u, 256u, 1000u}) {
    for (std::uint32_t bits : {1u, 2u, 4u, 8u, 16u, 32u}) {
      for (Ppm threshold : {1u, 500'000u, 800'000u, 950'000u, kOne}) {
        const Estimator estimator(plan_of(size, bits), threshold);
        const double k = size;
        const double chance = std::ldexp(1.0, -static_cast<int>(bits));
        const double need = (threshold / 1e6 * (1 - chance) + chance) * k;
        const std::uint32_t count = estimator.decision_count();
        EXPECT_GE(count, need - 1e-6) << size << " × " << bits << " at " << threshold;
        EXPECT_LT(count - 1.0, need + 1e-6) << size << " × " << bits << " at " << threshold;
        EXPECT_LE(count, size);
      }
    }
  }
}

TEST(Estimate, permutation_decision_count_is_the_smallest_whose_estimate_reaches_the_threshold) {
  const Estimator estimator(permutation(256, 4, 1 << 16), 800'000);
  for (SetSizes sizes : {SetSizes{100, 100}, SetSizes{10, 1000}, SetSizes{40'000, 50'000}}) {
    const std::uint32_t count = estimator.decision_count(sizes);
    EXPECT_GE(estimator.similarity_ppm(count, sizes), 800'000u);
    EXPECT_LT(estimator.similarity_ppm(count - 1, sizes), 800'000u);
  }
}

TEST(Estimate, lower_count_loses_a_pair_at_the_threshold_once_in_ten_thousand_at_most) {
  for (std::uint32_t size : {64u, 128u, 256u, 1024u}) {
    for (std::uint32_t bits : {1u, 8u, 32u}) {
      for (double t : {0.5, 0.8, 0.95}) {
        const Estimator estimator(plan_of(size, bits), static_cast<Ppm>(t * 1e6));
        const double p = t + (1 - t) * std::ldexp(1.0, -static_cast<int>(bits));
        const std::uint32_t count = estimator.lower_count();
        EXPECT_LT(binomial_below(size, p, count), 1e-4) << size << " × " << bits << " at " << t;
        EXPECT_GE(binomial_below(size, p, count + 1), 1e-4) << "a larger count would do as well";
      }
    }
  }
  EXPECT_EQ(Estimator(plan_of(256, 8), kOne).lower_count(), 256u);
}

TEST(Estimate, stays_within_0_and_1_and_never_falls_with_the_count) {
  for (std::uint32_t bits : {1u, 8u, 32u}) {
    const Estimator estimator(plan_of(100, bits), 800'000);
    Estimate last;
    for (std::uint32_t count = 0; count <= 100; ++count) {
      const Estimate now = estimator.estimate(count);
      EXPECT_GE(now.similarity, last.similarity);
      EXPECT_LE(now.low, now.similarity);
      EXPECT_GE(now.high, now.similarity);
      EXPECT_LE(now.high, kOne);
      EXPECT_EQ(now.similarity % 1000, 0u);
      last = now;
    }
    EXPECT_EQ(estimator.estimate(0).similarity, 0u);
    EXPECT_EQ(estimator.estimate(100).similarity, kOne);
    EXPECT_EQ(estimator.estimate(100).high, kOne);
  }
}

TEST(Estimate, without_set_sizes_the_permutation_family_falls_back_to_even_chance) {
  const Estimator sized(permutation(256, 8, 1 << 20), 800'000);
  const Estimator plain(plan_of(256, 8), 800'000);
  for (std::uint32_t count : {0u, 1u, 100u, 205u, 256u}) {
    EXPECT_EQ(sized.similarity_ppm(count), plain.similarity_ppm(count));
  }
}

TEST(Estimate, permutation_constants_tend_to_even_chance_for_sparse_sets) {
  const Estimator sparse(permutation(256, 2, 1 << 24), 800'000);
  const Estimator plain(plan_of(256, 2), 800'000);
  for (std::uint32_t count : {100u, 200u, 250u}) {
    EXPECT_NEAR(sparse.similarity_ppm(count, {50, 60}), plain.similarity_ppm(count), 20);
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
