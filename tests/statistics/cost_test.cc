// Fast similarity sketching hashes at most 2·(|A| + t ln t) times on average.
#include <gtest/gtest.h>

#include "tests/statistics/promises.h"

namespace neardup::statistics::TEST_FILE {
namespace {

double mean_evaluations(std::uint32_t bins, std::size_t size, std::uint32_t repetitions) {
  Random random(size * bins);
  Moments evaluations;
  for (std::uint32_t i = 0; i < repetitions; ++i) {
    SketchPlan plan;
    plan.sketch = fast_similarity(bins);
    plan.sketch.seed = {random(), random()};
    Sketcher sketcher(plan, std::make_shared<const SketchKeys>(make_sketch_keys(plan)),
                      SimdLevel::kAuto);
    sketcher.winners(random_elements(random, size, 0));
    evaluations.add(static_cast<double>(sketcher.evaluations()));
  }
  return evaluations.mean();
}

TEST(FastSimilarityCost, is_at_most_twice_the_elements_and_t_ln_t) {
  for (std::uint32_t bins : {64u, 256u, 1024u}) {
    const double fill = bins * std::log(bins);
    for (double size : {1.0, 2.0, 5.0, 10.0, 50.0, 200.0, 0.5 * fill, 0.9 * fill, fill, 1.1 * fill,
                        2 * fill, 20'000.0, 100'000.0}) {
      const double mean = mean_evaluations(bins, static_cast<std::size_t>(size), 100);
      EXPECT_LE(mean, 2 * (size + fill)) << bins << " bins, " << size << " elements";
      EXPECT_GE(mean, std::floor(size)) << "every element is hashed at least once";
    }
  }
}

}  // namespace
}  // namespace neardup::statistics::TEST_FILE
