// Unrelated documents do not meet in a bucket, related ones meet as the S-curve says.
#include "pipeline/rule/bands.h"

#include <gtest/gtest.h>

#include <string>

#include "gpu/backend.h"
#include "gpu/backends.h"
#include "tests/statistics/promises.h"

namespace neardup::statistics::TEST_FILE {
namespace {

SketchPlan default_plan() {
  SketchPlan plan;
  plan.bands = 16;
  plan.rows = 6;
  return plan;
}

TEST(Bands, are_shared_by_none_of_10_000_unrelated_pairs_of_one_shingle) {
  const SketchPlan plan = default_plan();
  const SketchShape shape = plan.shape();
  TextBatch texts;
  std::vector<SketchTask> tasks;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    tasks.push_back({i, 0});
    texts.push("one page of five " + std::to_string(i));
  }
  SketchRows rows(shape, texts.size());
  make_backend({BackendName::kCpu, {}, {}}, plan)->sketch(texts, tasks, rows);
  const SketchComparer comparer(shape, {});
  for (std::size_t i = 0; i < texts.size(); i += 2) {
    ASSERT_EQ(comparer.bands_hit(rows.sketch(i), rows.sketch(i + 1)), 0u) << texts.text(i);
    for (std::uint32_t band = 0; band < shape.bands; ++band) {
      ASSERT_NE(rows.buckets(i)[band], rows.buckets(i + 1)[band]);
    }
  }
}

// Slots of a fast similarity sketch are not quite independent, so the curve is met to a few
// percent.
TEST(Bands, meet_as_often_as_the_s_curve_says) {
  const std::uint32_t repetitions = 4000;
  for (std::size_t size : {20, 300}) {
    for (const Overlap& shape : overlaps(size, std::vector{0.4, 0.6, 0.8})) {
      Random random(size + shape.common);
      SketchPlan plan = default_plan();
      std::uint32_t met = 0;
      for (std::uint32_t i = 0; i < repetitions; ++i) {
        plan.sketch.seed = {random(), random()};
        Sketcher sketcher(plan, std::make_shared<const SketchKeys>(make_sketch_keys(plan)),
                          SimdLevel::kAuto);
        const Elements all = random_elements(random, 2 * size - shape.common, 0);
        Elements a(plan.shape().sketch_words()), b(a);
        pack_sketch(plan, sketcher.winners(std::span(all).first(size)), a.data());
        pack_sketch(plan, sketcher.winners(std::span(all).last(size)), b.data());
        met += SketchComparer(plan.shape(), {}).bands_hit(a.data(), b.data()) != 0;
      }
      const double chance =
          meeting_chance(shape.jaccard(), plan.sketch.bits, {plan.bands, plan.rows});
      EXPECT_NEAR(met / double(repetitions), chance, 0.03)
          << size << " elements, J = " << shape.jaccard();
    }
  }
}

}  // namespace
}  // namespace neardup::statistics::TEST_FILE
