#include "pipeline/rule/tuning.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "pipeline/rule/estimate.h"

namespace neardup::TEST_FILE {
namespace {

Rule rule_of(std::uint32_t size, std::uint32_t bits, std::uint32_t bands, std::uint32_t rows,
             VerifyMode verify) {
  Rule rule;
  rule.plan.sketch.size = size;
  rule.plan.sketch.bits = bits;
  rule.plan.bands = bands;
  rule.plan.rows = rows;
  rule.decision.verify = verify;
  return rule;
}

// All outcomes of which values are equal, one after another.
CurvePoint counted(const Rule& rule, double jaccard, std::uint32_t wanted) {
  const SketchShape shape = rule.plan.shape();
  const double p = value_collision(jaccard, shape.bits);
  const std::uint32_t whole_band = (1U << shape.rows) - 1;
  CurvePoint point{jaccard, 0, 0, 0};
  for (std::uint32_t equal = 0; equal < 1U << shape.slots; ++equal) {
    const auto count = static_cast<std::uint32_t>(std::popcount(equal));
    const double chance = std::pow(p, count) * std::pow(1 - p, shape.slots - count);
    bool meets = false;
    for (std::uint32_t band = 0; band < shape.bands; ++band) {
      meets = meets || (equal >> (band * shape.rows) & whole_band) == whole_band;
    }
    if (meets) point.meets += chance;
    if (count >= wanted) point.reaches += chance;
    if (meets && count >= wanted) point.flagged += chance;
  }
  return point;
}

void expect_near(const CurvePoint& got, const CurvePoint& want) {
  EXPECT_NEAR(got.meets, want.meets, 1e-12);
  EXPECT_NEAR(got.reaches, want.reaches, 1e-12);
  EXPECT_NEAR(got.flagged, want.flagged, 1e-12);
}

TEST(Curve, IsWhatCountingAllOutcomesGives) {
  for (const auto& [bands, rows] : {std::pair{1U, 1U}, {3U, 3U}, {2U, 5U}, {11U, 1U}, {1U, 11U}}) {
    const Rule rule = rule_of(11, 2, bands, rows, VerifyMode::kSketch);
    const std::uint32_t wanted = Estimator(rule.plan, rule.decision.threshold).decision_count();
    for (const double jaccard : {0.0, 0.3, 0.8, 1.0}) {
      SCOPED_TRACE(std::to_string(bands) + " bands, J = " + std::to_string(jaccard));
      expect_near(curve_point(rule, jaccard), counted(rule, jaccard, wanted));
    }
  }
}

TEST(Curve, WithoutVerificationEveryMeetingIsFlagged) {
  for (const CurvePoint& point : curve(rule_of(256, 8, 16, 6, VerifyMode::kNone), 20)) {
    EXPECT_NEAR(point.reaches, 1, 1e-12);
    EXPECT_NEAR(point.flagged, point.meets, 1e-12);
  }
}

TEST(Curve, ExactVerificationFlagsNothingBelowTheThresholdAndHardlyLosesAnythingAtIt) {
  const Rule rule = rule_of(256, 8, 16, 6, VerifyMode::kExact);
  EXPECT_EQ(curve_point(rule, 0.79).flagged, 0);
  EXPECT_GT(curve_point(rule, 0.79).meets, 0.9);
  const CurvePoint at = curve_point(rule, 0.8);
  EXPECT_GT(at.reaches, 1 - 1e-4);
  EXPECT_NEAR(at.flagged, at.meets, 1e-4);
}

TEST(Curve, OfALargeSketchIsAStepAtTheThreshold) {
  const Rule rule = rule_of(16384, 8, 16, 6, VerifyMode::kSketch);
  EXPECT_LT(curve_point(rule, 0.75).flagged, 1e-9);
  EXPECT_GT(curve_point(rule, 0.85).reaches, 1 - 1e-9);
}

TEST(EvenQuality, CountsBothSidesOfTheThreshold) {
  const std::vector<CurvePoint> points{{0.7, 1, 1, 0.25}, {0.8, 1, 1, 0.5}, {0.9, 1, 1, 1.0}};
  const Quality quality = even_quality(points, 800'000);
  EXPECT_DOUBLE_EQ(quality.recall, 0.75);
  EXPECT_DOUBLE_EQ(quality.precision, 1.5 / 1.75);
}

TEST(EvenQuality, WhereNothingIsFlaggedNothingIsWrong) {
  EXPECT_EQ(even_quality({{1.0, 0, 0, 0}}, 800'000).precision, 1);
}

TEST(ChanceMeetings, AreDocumentsTimesBandsTimesTheChanceOfABand) {
  EXPECT_DOUBLE_EQ(chance_meetings({16, 4}, 8, std::uint64_t{1} << 32), 16);
}

TEST(Alternatives, ReachTheRecallWithTheFewestBands) {
  const Rule rule = rule_of(256, 8, 16, 6, VerifyMode::kSketch);
  const auto found = alternatives(rule, 0.99, 4, 5);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().rows, 4);  // the least rows allowed
  for (const Bands& bands : found) {
    SCOPED_TRACE(bands.rows);
    EXPECT_GE(meeting_chance(0.8, 8, bands), 0.99);
    EXPECT_LE(bands.bands * bands.rows, 256);
    EXPECT_LT(meeting_chance(0.8, 8, {bands.bands - 1, bands.rows}), 0.99);
  }
  EXPECT_NE(std::find(found.begin(), found.end(), Bands{16, 6}), found.end());
}

TEST(Alternatives, ThatTheSketchCannotHoldAreLeftOut) {
  EXPECT_TRUE(alternatives(rule_of(8, 8, 1, 4, VerifyMode::kSketch), 0.99, 4, 3).empty());
}

TEST(Framework, GivesTheNumbersOfIndykAndMotwani) {
  EXPECT_NEAR(framework_rho(0.8, 0.1), 0.09691, 1e-5);
  const FrameworkChoice choice = framework_choice(0.8, 0.1, 1000);
  EXPECT_EQ(choice.rows, 3);    // ln 1000 / ln 10, a whole number in spite of rounding
  EXPECT_EQ(choice.tables, 2);  // 1000^0.0969 = 1.95
  EXPECT_EQ(framework_choice(0.5, 0.25, 1 << 20).rows, 10);
  EXPECT_EQ(framework_choice(0.5, 0.25, 1 << 20).tables, 1 << 10);
  EXPECT_EQ(framework_choice(0.5, 0.25, (1 << 20) + 1).rows, 11);
}

TEST(Framework, LoweredKAllowsAsManyTimesMoreStrangersAsFitAWord) {
  const FrameworkChoice choice = lowered_choice(0.8, 0.1, 4000, 4);
  EXPECT_EQ(choice.rows, 3);
  EXPECT_EQ(choice.tables, 2);  // 1.25^3 = 1.95
  EXPECT_EQ(lowered_choice(0.8, 0.1, 8000, 8).rows, 3);
  EXPECT_EQ(lowered_choice(0.8, 0.1, 8001, 8).rows, 4);
}

TEST(Framework, LoweredKIsAtLeastOne) {
  for (const std::uint64_t documents : {2, 7, 8, 9})
    EXPECT_EQ(lowered_choice(0.8, 0.1, documents, 8).rows, 1);
}

TEST(Framework, FoundChanceIsThatOfOneOfTheTables) {
  EXPECT_DOUBLE_EQ(found_chance({1, 2}, 0.5), 0.75);
  EXPECT_DOUBLE_EQ(found_chance({2, 1}, 0.5), 0.25);
}

}  // namespace
}  // namespace neardup::TEST_FILE
