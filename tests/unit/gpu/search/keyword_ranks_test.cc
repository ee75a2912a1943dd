#include "gpu/search/keyword_ranks.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace neardup::TEST_FILE {
namespace {

constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();

TEST(KeywordRanksTest, CountsTheKeywordsBelowAnother) {
  const std::set<std::uint32_t> keywords{0,      1,         63,       64,           65'535,
                                         65'536, 1'000'000, 1u << 31, kLargest - 1, kLargest};
  KeywordRanks ranks;
  for (const std::uint32_t keyword : keywords) ranks.insert(keyword);
  ranks.insert(64);
  ranks.number();
  EXPECT_EQ(ranks.size(), keywords.size());
  std::uint32_t rank = 0;
  for (const std::uint32_t keyword : keywords) {
    EXPECT_EQ(ranks.below(keyword), rank) << keyword;
    EXPECT_EQ(ranks.below(std::uint64_t{keyword} + 1), ++rank) << keyword;
  }
  EXPECT_EQ(ranks.below(62), 2);
  EXPECT_EQ(ranks.below(500'000), 6);
}

TEST(KeywordRanksTest, TakesTheKeywordsOfOthers) {
  KeywordRanks ranks, others;
  ranks.insert(5);
  others.insert(5);
  others.insert(70'000);
  ranks.insert(others);
  ranks.number();
  EXPECT_EQ(ranks.size(), 2);
  EXPECT_EQ(ranks.below(70'000), 1);
}

TEST(KeywordRanksTest, MayBeEmpty) {
  KeywordRanks ranks;
  ranks.number();
  EXPECT_EQ(ranks.size(), 0);
  EXPECT_EQ(ranks.below(7), 0);
}

}  // namespace
}  // namespace neardup::TEST_FILE
