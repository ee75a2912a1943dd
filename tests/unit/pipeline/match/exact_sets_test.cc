#include "pipeline/match/exact_sets.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace neardup::TEST_FILE {
namespace {

Overlap overlap_of(const ShingleSet& a, const ShingleSet& b) { return overlap(a, b); }

TEST(ExactSets, the_overlap_counts_common_and_all) {
  const auto check = [](const ShingleSet& a, const ShingleSet& b, std::uint64_t common,
                        std::uint64_t all) {
    EXPECT_EQ(overlap_of(a, b).common, common);
    EXPECT_EQ(overlap_of(a, b).all, all);
    EXPECT_EQ(overlap_of(b, a).common, common);
  };
  check({1, 3, 5, 7}, {3, 4, 5, 9}, 2, 6);
  check({1, 2}, {1, 2}, 2, 2);
  check({1, 2}, {3}, 0, 3);
  check({}, {3}, 0, 1);
}

class Sets : public testing::Test {
 protected:
  int reads_ = 0;
  ExactSets sets_{Shingler({}, Seed{}, SimdLevel::kAuto), Normaliser(SimdLevel::kAuto),
                  [this](Seq seq) -> std::optional<std::string> {
                    ++reads_;
                    if (seq == 404) return std::nullopt;
                    if (seq == 3) return "A, b – C d! E f\tG.";
                    return seq == 1 ? "a b c d e f g" : "a b c d e x y";
                  }};
};

TEST_F(Sets, a_set_holds_each_shingle_once_in_order) {
  const ShingleSet set = sets_.of_text("a a a a a a a a b");
  EXPECT_EQ(set.size(), 2u);
  EXPECT_TRUE(std::is_sorted(set.begin(), set.end()));
}

TEST_F(Sets, stored_texts_and_given_ones_make_the_same_set) {
  EXPECT_EQ(*sets_.of_document(1), sets_.of_text("a b c d e f g"));
  const Overlap found = overlap(*sets_.of_document(2), sets_.of_text("a b c d e f g"));
  EXPECT_EQ(found.common, 1u);
  EXPECT_EQ(found.all, 5u);
}

TEST_F(Sets, a_raw_text_and_its_normalised_one_make_the_same_set) {
  EXPECT_EQ(*sets_.of_document(3), sets_.of_text("a b c d e f g"));
}

TEST_F(Sets, a_text_is_read_once_while_it_is_remembered) {
  const ShingleSet first = *sets_.of_document(1);
  sets_.of_document(2);
  EXPECT_EQ(*sets_.of_document(1), first);
  EXPECT_EQ(reads_, 2);
}

TEST_F(Sets, a_text_that_is_not_kept_has_no_set) { EXPECT_EQ(sets_.of_document(404), nullptr); }

}  // namespace
}  // namespace neardup::TEST_FILE
