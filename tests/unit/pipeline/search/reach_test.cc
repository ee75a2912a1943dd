#include "pipeline/search/reach.h"

#include <gmock/gmock.h>

#include <random>

namespace neardup::TEST_FILE {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

constexpr SketchShape kShape{256, 8, 16, 6};
const std::vector<double> kSimilarities{.6, .5, .4, .35, .3, .25};

EngineReach reach_of(std::string_view engine, const SearchCase& search) {
  for (EngineReach& reach : engine_reaches(search, kSimilarities)) {
    if (reach.engine == engine) return reach;
  }
  return {};
}

// The figures of docs/similar.md, which an independent program computed.
TEST(ReachTest, TheScanFindsWhatTheTableSays) {
  const SearchCase million{kShape, 1'000'000, 1000, 32, 300'000};
  const EngineReach reach = reach_of("scan", million);
  EXPECT_THAT(reach.chances,
              Pointwise(DoubleNear(0.0006), {1.000, 1.000, 1.000, .994, .954, .800}));
  EXPECT_NEAR(reach.complete_above, 0.60, 0.01);
  const SearchCase many{{512, 8, 16, 6}, 100'000'000, 1000, 32, 300'000};
  EXPECT_THAT(reach_of("scan", many).chances,
              Pointwise(DoubleNear(0.0006), {1.000, 1.000, 1.000, 1.000, .995, .921}));
}

// Beside sketches whose values are drawn: common keywords, and bits within the limit.
TEST(ReachTest, TheMatchFindsAsManyAsDrawnDocumentsAre) {
  constexpr int kDrawn = 20'000;
  constexpr double kJaccard = 0.3;
  std::mt19937_64 random(3);
  std::bernoulli_distribution equal(kJaccard + (1 - kJaccard) / 256);
  std::bernoulli_distribution bit(0.5);
  const std::uint32_t limit = most_differing_bits(256, 300'000);
  int compared = 0;
  for (int i = 0; i < kDrawn; ++i) {
    std::uint32_t common = 0;
    std::uint32_t differing = 0;
    bool before = false;
    for (std::uint32_t value = 0; value < 256; ++value) {
      const bool same = equal(random);
      differing += !same && bit(random) ? 1 : 0;
      common += value < 64 && value % 2 == 1 && same && before ? 1 : 0;
      before = same;
    }
    compared += common > 0 && differing <= limit ? 1 : 0;
  }
  const EngineReach reach = reach_of("match", {kShape, 1'000'000, 1000, 32, 300'000});
  EXPECT_NEAR(reach.chances[4], static_cast<double>(compared) / kDrawn, 0.01);
}

// Beside bits that are drawn: keywords with few errors, and bits within the limit.
TEST(ReachTest, ErrorWeightedHashingFindsAsManyAsDrawnDocumentsAre) {
  constexpr int kDrawn = 20'000;
  std::mt19937_64 random(4);
  std::bernoulli_distribution differs((1 - 0.4) / 2);
  const std::uint32_t limit = most_differing_bits(256, 300'000);
  int compared = 0;
  for (int i = 0; i < kDrawn; ++i) {
    std::uint32_t score = 0;
    std::uint32_t differing = 0;
    for (int keyword = 0; keyword < 16; ++keyword) {
      std::uint32_t errors = 0;
      for (int bit = 0; bit < 16; ++bit) errors += differs(random) ? 1 : 0;
      score += errors <= 2 ? 4 - errors : 0;
      differing += errors;
    }
    compared += score >= 4 && differing <= limit ? 1 : 0;
  }
  const EngineReach reach = reach_of("ewh", {kShape, 1'000'000, 1000, 32, 300'000});
  EXPECT_NEAR(reach.chances[2], static_cast<double>(compared) / kDrawn, 0.015);
  EXPECT_NEAR(reach.complete_above, (256 - 46) / 256.0, 0.002);
}

TEST(ReachTest, TheMatchReadsMoreStrangersOfMoreDocuments) {
  const EngineReach ten = reach_of("match", {kShape, 10'000'000, 1000, 32, 300'000});
  const EngineReach twenty = reach_of("match", {kShape, 20'000'000, 1000, 32, 300'000});
  EXPECT_NEAR(twenty.rows, 2 * ten.rows, 1e-6);
  EXPECT_NEAR(ten.rows, 150, 60);
  EXPECT_NEAR(ten.index_bytes, 138, 0.1);
  EXPECT_NEAR(ten.complete_above, 0.874, 0.001);
}

TEST(ReachTest, MostDifferingBitsLeaveOutOneInFiveHundred) {
  EXPECT_EQ(most_differing_bits(256, kOne), 0);
  std::uint32_t before = 0;
  for (const Ppm similarity : {900'000u, 600'000u, 300'000u, 100'000u, 0u}) {
    const std::uint32_t bits = most_differing_bits(256, similarity);
    EXPECT_GT(bits, before);
    before = bits;
  }
  EXPECT_LT(before, 256);
}

}  // namespace
}  // namespace neardup::TEST_FILE
