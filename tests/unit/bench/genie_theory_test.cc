// The figures of GENIE's section 4.2, computed from its formulas.
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/theory/genie.h"

namespace neardup::bench::TEST_FILE {
namespace {

constexpr double kEpsilon = 0.06;
constexpr double kDelta = 0.06;

std::uint32_t inside(double similarity) {
  return least_functions(similarity, kEpsilon, kDelta, CountInterval::kInside);
}

TEST(GenieTheory, FunctionsForASimilarityOfOneHalf) {
  EXPECT_EQ(inside(0.5), 234);
  EXPECT_EQ(least_functions(0.5, kEpsilon, kDelta, CountInterval::kAsPrinted), 202);
}

// The paper's own figure, 237, lies between those of 0.5 and of the worst similarity.
TEST(GenieTheory, FunctionsForTheWorstSimilarity) {
  std::uint32_t most = 0;
  for (int i = 1; i < 20; ++i) most = std::max(most, inside(i / 20.0));
  EXPECT_EQ(most, 238);
  EXPECT_EQ(inside(0.55), most);
  EXPECT_GT(kPaperFunctions, inside(0.5));
  EXPECT_LT(kPaperFunctions, most);
}

TEST(GenieTheory, TheBoundAsksForNineTimesAsMany) {
  EXPECT_EQ(functions_by_bound(kEpsilon, kDelta), 2174);
}

}  // namespace
}  // namespace neardup::bench::TEST_FILE
