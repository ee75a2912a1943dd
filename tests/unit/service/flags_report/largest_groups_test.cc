#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/base/failure.h"
#include "service/flags_report/flags_report.h"
#include "tests/unit/service/flags_report/flag_support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;

void add(LargestGroups& groups, Seq original, Seq seq) {
  const std::string id = "o" + std::to_string(original);
  groups.add(copy_of(original, id, seq).flag, 900'000);
}

std::vector<std::pair<Seq, std::uint64_t>> sizes(const LargestGroups& groups, std::size_t top) {
  std::vector<std::pair<Seq, std::uint64_t>> sizes;
  for (const LargeGroup& group : groups.largest(top)) sizes.emplace_back(group.seq, group.copies);
  return sizes;
}

TEST(LargestGroups, the_most_copies_come_first_then_the_oldest_original) {
  LargestGroups groups;
  Seq seq = 100;
  for (const Seq original : {3, 1, 2, 3, 2, 4}) add(groups, original, ++seq);
  groups.add({.seq = ++seq, .id = "alone"}, 0);
  EXPECT_THAT(sizes(groups, 3), ElementsAre(std::pair(2, 2), std::pair(3, 2), std::pair(1, 1)));
  EXPECT_EQ(sizes(groups, 100).size(), 4);
  EXPECT_EQ(groups.most_missed(), 0);
}

TEST(LargestGroups, the_first_copies_are_the_sample) {
  LargestGroups groups;
  for (Seq seq = 2; seq < 9; ++seq) add(groups, 1, seq);
  const LargeGroup group = groups.largest(1).front();
  EXPECT_EQ(group.id, "o1");
  ASSERT_EQ(group.sample.size(), LargestGroups::kSample);
  EXPECT_EQ(group.sample[0].seq, 2);
  EXPECT_EQ(group.sample[0].id, "copy");
  EXPECT_EQ(group.sample[0].similarity, 900'000);
}

TEST(LargestGroups, large_groups_are_found_however_many_small_ones_there_are) {
  LargestGroups groups(100'000);
  Seq seq = 1'000'000;
  for (Seq round = 0; round < 20'000; ++round) {
    add(groups, 10 + round, ++seq);  // a group of one copy
    if (round % 2 == 0) add(groups, 1, ++seq);
    if (round % 4 == 0) add(groups, 2, ++seq);
  }
  EXPECT_LT(groups.largest(100'000).size(), 500);
  const auto found = groups.largest(2);
  EXPECT_GT(groups.most_missed(), 0);
  EXPECT_LT(groups.most_missed(), 500);
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].seq, 1);
  EXPECT_EQ(found[1].seq, 2);
  EXPECT_LE(found[0].copies, 10'000);
  EXPECT_GE(found[0].copies + groups.most_missed(), 10'000);
  EXPECT_GE(found[1].copies + groups.most_missed(), 5'000);
}

TEST(LargestGroups, flags_of_two_states_are_refused) {
  LargestGroups groups;
  groups.add(copy_of(1, "a", 2).flag, 0);
  EXPECT_THROW(groups.add(copy_of(1, "b", 3).flag, 0), Failure);
}

}  // namespace
}  // namespace neardup::TEST_FILE
