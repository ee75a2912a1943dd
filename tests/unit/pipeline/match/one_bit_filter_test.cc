#include "pipeline/match/one_bit_filter.h"

#include <gtest/gtest.h>

#include "tests/unit/pipeline/documents.h"

namespace neardup {
namespace {

// Three of sixteen bits differ.
constexpr std::uint64_t kQuery = 0b1010'1010'1010'1010;
constexpr std::uint64_t kNear = 0b1010'1010'1010'1101;

class OneBitFilterTest : public testing::Test {
 protected:
  bool passes(std::uint32_t need, const std::uint64_t* bits) {
    OneBitFilter filter(comparer_, need);
    return filter.pass(filter.most(&kQuery, bits));
  }
  SketchComparer comparer_{small_rule().plan.shape(), {}};
};

TEST_F(OneBitFilterTest, passes_what_has_enough_equal_bits) {
  EXPECT_TRUE(passes(13, &kNear));
  EXPECT_FALSE(passes(14, &kNear));
  EXPECT_TRUE(passes(16, &kQuery));
}

TEST_F(OneBitFilterTest, passes_all_where_nothing_is_needed_or_no_bits_are_at_hand) {
  const std::uint64_t opposite = ~kQuery & 0xffff;
  EXPECT_FALSE(passes(1, &opposite));
  EXPECT_TRUE(passes(0, &opposite));
  EXPECT_TRUE(passes(16, nullptr));
}

TEST_F(OneBitFilterTest, bounds_the_count_of_equal_values) {
  OneBitFilter filter(comparer_, 13);
  EXPECT_EQ(filter.most(&kQuery, &kNear), 13u);
  EXPECT_EQ(filter.most(&kQuery, &kQuery), 16u);
  EXPECT_GE(filter.most(&kQuery, nullptr), 16u);
  EXPECT_GE(OneBitFilter(comparer_, 0).most(&kQuery, &kNear), 16u);
}

TEST_F(OneBitFilterTest, counts_what_it_saw_and_what_passed) {
  OneBitFilter filter(comparer_, 14);
  for (const std::uint32_t most : {13u, 14u, 16u}) filter.pass(most);
  EXPECT_EQ(filter.counts().candidates, 3u);
  EXPECT_EQ(filter.counts().passed, 2u);
}

}  // namespace
}  // namespace neardup
