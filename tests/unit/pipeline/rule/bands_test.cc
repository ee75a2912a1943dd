#include "pipeline/rule/bands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;

LshOptions wanting(Ppm recall) {
  LshOptions lsh;
  lsh.recall = recall;
  lsh.bands = 0;
  lsh.rows = 0;
  return lsh;
}

LshOptions given(std::uint32_t bands, std::uint32_t rows) {
  LshOptions lsh;
  lsh.bands = bands;
  lsh.rows = rows;
  return lsh;
}

// What is wrong with a plan, empty when nothing is.
std::string complaint(const LshOptions& lsh, const SketchOptions& sketch, Ppm threshold,
                      std::uint64_t documents) {
  try {
    solve_bands(lsh, sketch, threshold, documents);
    return "";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kConfig);
    return failure.what();
  }
}

TEST(LshPlan, value_collision_counts_accidental_equality) {
  EXPECT_DOUBLE_EQ(value_collision(0, 8), 1.0 / 256);
  EXPECT_DOUBLE_EQ(value_collision(1, 1), 1);
  EXPECT_DOUBLE_EQ(value_collision(0.5, 1), 0.75);
}

TEST(LshPlan, meeting_chance_is_the_s_curve) {
  EXPECT_NEAR(meeting_chance(0.8, 32, {16, 6}), 1 - std::pow(1 - std::pow(0.8, 6), 16), 1e-9);
  EXPECT_NEAR(meeting_chance(0.8, 8, {12, 5}), 0.99, 0.004);
  EXPECT_NEAR(meeting_chance(0.8, 8, {16, 6}), 0.99, 0.004);
  double last = 0;
  for (double j = 0.05; j <= 1.0; j += 0.05) {
    EXPECT_GE(meeting_chance(j, 8, {16, 6}), last);
    last = meeting_chance(j, 8, {16, 6});
  }
}

TEST(LshPlan, smallest_rows_keep_chance_meetings_below_one_in_256_a_band) {
  EXPECT_EQ(smallest_rows(8, 10'000'000), 4u);  // log2 = 23.3, so 32 bits
  EXPECT_EQ(smallest_rows(8, std::uint64_t{1} << 24), 4u);
  EXPECT_EQ(smallest_rows(8, (std::uint64_t{1} << 24) + 1), 5u);
  EXPECT_EQ(smallest_rows(1, 1), 8u);
  for (std::uint32_t bits : {1u, 2u, 4u, 8u, 16u, 32u}) {
    for (double documents : {1.0, 100.0, 1e6, 1e8, 1e10}) {
      const auto n = static_cast<std::uint64_t>(documents);
      const double rows = smallest_rows(bits, n);
      EXPECT_GE(bits * rows, std::log2(documents) + 8 - 1e-9);
      EXPECT_LT(bits * (rows - 1), std::ceil(std::log2(documents)) + 8);
    }
  }
}

TEST(LshPlan, solved_bands_reach_the_recall_at_the_threshold_and_fit_the_sketch) {
  for (Ppm threshold : {600'000u, 700'000u, 800'000u, 900'000u, 950'000u}) {
    for (Ppm recall : {900'000u, 990'000u}) {
      for (std::uint32_t bits : {4u, 8u, 16u}) {
        SketchOptions sketch;
        sketch.bits = bits;
        sketch.size = 4096;
        const Bands bands = solve_bands(wanting(recall), sketch, threshold, 10'000'000);
        EXPECT_GE(meeting_chance(threshold / 1e6, bits, bands) + 1e-12, recall / 1e6);
        EXPECT_LE(bands.bands * bands.rows, sketch.size);
        EXPECT_GE(bands.rows, smallest_rows(bits, 10'000'000));
        EXPECT_LT(meeting_chance(threshold / 1e6, bits, {bands.bands - 1, bands.rows}),
                  recall / 1e6)
            << "one band less would do";
      }
    }
  }
}

TEST(LshPlan, bands_given_by_hand_are_taken_as_they_are) {
  EXPECT_EQ(solve_bands(given(20, 5), {}, 800'000, 10'000'000), (Bands{20, 5}));
  EXPECT_EQ(solve_bands(given(64, 4), {}, 800'000, 10'000'000), (Bands{64, 4}));
}

TEST(LshPlan, bands_that_need_more_values_than_the_sketch_has_are_refused) {
  EXPECT_THAT(complaint(given(65, 4), {}, 800'000, 10'000'000),
              AllOf(HasSubstr("lsh.bands"), HasSubstr("260"), HasSubstr("256")));
  EXPECT_THAT(complaint(given(1u << 31, 1u << 31), {}, 800'000, 10'000'000),
              HasSubstr("lsh.bands"));
}

TEST(LshPlan, too_few_rows_are_refused_and_the_smallest_that_fits_is_named) {
  EXPECT_THAT(complaint(given(20, 3), {}, 800'000, 10'000'000),
              AllOf(HasSubstr("lsh.rows"), HasSubstr("smallest that fits is 4")));
  EXPECT_EQ(complaint(given(20, 4), {}, 800'000, 10'000'000), "");
}

TEST(LshPlan, a_recall_out_of_reach_is_refused_with_the_size_that_would_fit) {
  SketchOptions sketch;
  sketch.size = 16;
  const std::string said = complaint(wanting(990'000), sketch, 800'000, 10'000'000);
  ASSERT_THAT(said, HasSubstr("raise sketch.size to "));
  const auto wanted = std::stoul(said.substr(said.find("raise sketch.size to ") + 21));
  sketch.size = static_cast<std::uint32_t>(wanted);
  EXPECT_EQ(complaint(wanting(990'000), sketch, 800'000, 10'000'000), "");
  --sketch.size;
  EXPECT_NE(complaint(wanting(990'000), sketch, 800'000, 10'000'000), "");
}

}  // namespace
}  // namespace neardup::TEST_FILE
