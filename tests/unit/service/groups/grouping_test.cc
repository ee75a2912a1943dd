#include "service/groups/grouping.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

FlagLine kept(Seq seq, std::string_view id, std::string_view name_space = "") {
  return {.seq = seq, .name_space = name_space, .id = id};
}

FlagLine copy(Seq seq, std::string_view id, Seq original, std::string_view original_id,
              std::string_view name_space = "") {
  return {.seq = seq,
          .name_space = name_space,
          .id = id,
          .original = original,
          .original_id = original_id};
}

FlagLine deleted(Seq seq, std::string_view id) {
  return {.status = Status::kDeleted, .seq = seq, .id = id};
}

// "1 a: a b c" of each group.
std::vector<std::string> groups_of(const Grouping& grouping) {
  std::vector<std::string> all;
  grouping.each([&](const Group& group) {
    std::string& text = all.emplace_back(
        fmt::format("{} {}{}:", group.seq, group.original.name_space, group.original.id));
    for (const Member& member : group.members) {
      text += ' ';
      text += grouping.name_of(member).id;
    }
  });
  return all;
}

std::vector<std::string> groups_of(const std::vector<FlagLine>& flags) {
  Grouping grouping;
  for (const FlagLine& flag : flags) grouping.add(flag);
  grouping.finish();
  return groups_of(grouping);
}

std::string refusal(const std::vector<FlagLine>& flags) {
  try {
    groups_of(flags);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kUnreadable);
    return failure.what();
  }
  ADD_FAILURE() << "not refused";
  return "";
}

TEST(Grouping, an_original_and_its_copies_are_a_group) {
  EXPECT_THAT(groups_of({kept(1, "a"), kept(2, "alone"), copy(3, "b", 1, "a"), kept(4, "c"),
                         copy(5, "d", 4, "c"), copy(6, "e", 1, "a")}),
              ElementsAre("1 a: a b e", "4 c: c d"));
  EXPECT_THAT(groups_of(std::vector<FlagLine>{}), IsEmpty());
}

TEST(Grouping, the_order_of_flags_does_not_matter) {
  std::vector<FlagLine> flags{kept(1, "a"),         copy(2, "b", 1, "a"), kept(3, "b"),
                              copy(4, "c", 3, "b"), deleted(5, "d"),      copy(6, "d", 1, "a")};
  const auto wanted = groups_of(flags);
  EXPECT_THAT(wanted, ElementsAre("1 a: a d", "3 b: b c"));
  const auto by_seq = [](const FlagLine& a, const FlagLine& b) { return a.seq < b.seq; };
  while (std::next_permutation(flags.begin(), flags.end(), by_seq)) {
    ASSERT_EQ(groups_of(flags), wanted);
  }
}

TEST(Grouping, a_flag_that_comes_again_counts_once) {
  EXPECT_THAT(groups_of({kept(1, "a"), copy(2, "b", 1, "a"), kept(1, "a"), copy(2, "b", 1, "a")}),
              ElementsAre("1 a: a b"));
}

TEST(Grouping, flags_that_change_no_document_are_passed_over) {
  FlagLine retry = kept(3, "b");
  FlagLine bad = kept(4, "b");
  retry.status = Status::kUnchanged;
  bad.status = Status::kRejected;
  EXPECT_THAT(groups_of({kept(1, "a"), copy(2, "b", 1, "a"), retry, bad}), ElementsAre("1 a: a b"));
}

TEST(Grouping, a_later_version_leaves_the_group) {
  EXPECT_THAT(groups_of({kept(1, "a"), copy(2, "b", 1, "a"), copy(3, "c", 1, "a"), kept(4, "b")}),
              ElementsAre("1 a: a c"));
  EXPECT_THAT(groups_of({kept(1, "a"), kept(2, "c"), copy(3, "b", 1, "a"), copy(4, "b", 2, "c")}),
              ElementsAre("2 c: c b"));
}

TEST(Grouping, copies_of_an_original_that_is_gone_stay_a_group_under_its_id) {
  const std::vector<FlagLine> before{kept(1, "a"), copy(2, "b", 1, "a"), copy(3, "c", 1, "a")};
  auto replaced = before, removed = before;
  replaced.push_back(kept(4, "a"));
  replaced.push_back(copy(5, "d", 4, "a"));
  EXPECT_THAT(groups_of(replaced), ElementsAre("1 a: b c", "4 a: a d"));
  removed.push_back(deleted(4, "a"));
  EXPECT_THAT(groups_of(removed), ElementsAre("1 a: b c"));
  removed.push_back(deleted(5, "c"));
  EXPECT_THAT(groups_of(removed), IsEmpty());
}

TEST(Grouping, an_original_whose_flag_is_not_there_is_as_one_that_is_gone) {
  EXPECT_THAT(groups_of({copy(2, "b", 1, "a"), copy(3, "c", 1, "a")}), ElementsAre("1 a: b c"));
}

// As with against: all.
TEST(Grouping, a_document_is_only_in_the_group_of_the_original_that_it_names) {
  EXPECT_THAT(groups_of({kept(1, "a"), copy(2, "b", 1, "a"), copy(3, "c", 2, "b"),
                         copy(4, "d", 2, "b"), copy(5, "e", 3, "c")}),
              ElementsAre("1 a: a b", "2 b: c d"));
}

TEST(Grouping, namespaces_are_apart) {
  EXPECT_THAT(
      groups_of({kept(1, "a"), kept(2, "a", "n"), copy(3, "b", 2, "a", "n"), copy(4, "b", 1, "a")}),
      ElementsAre("1 a: a b", "2 na: a b"));
}

TEST(Grouping, members_are_found_by_their_names) {
  Grouping grouping;
  for (const FlagLine& flag : {kept(1, "a", "n"), copy(2, "b", 1, "a", "n"), kept(3, "alone")}) {
    grouping.add(flag);
  }
  grouping.finish();
  EXPECT_EQ(grouping.find({"n", "a"}), 0);
  EXPECT_EQ(grouping.find({"n", "b"}), 1);
  EXPECT_EQ(grouping.find({"", "a"}), std::nullopt);
  EXPECT_EQ(grouping.find({"", "alone"}), std::nullopt);
}

TEST(Grouping, flags_of_several_states_are_refused) {
  EXPECT_THAT(refusal({copy(2, "b", 1, "a"), copy(3, "c", 1, "x")}),
              AllOf(HasSubstr("seq 1 is the document \"a\" and also \"x\""),
                    HasSubstr("of one state only")));
  EXPECT_THAT(refusal({kept(1, "x"), copy(2, "b", 1, "a")}), HasSubstr("seq 1"));
  EXPECT_THAT(refusal({kept(1, "a"), kept(1, "b")}), HasSubstr("seq 1"));
  EXPECT_THAT(refusal({copy(2, "b", 1, "a"), copy(2, "c", 1, "a")}), HasSubstr("seq 2"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
