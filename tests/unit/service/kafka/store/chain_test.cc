#include "service/kafka/store/chain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/service/kafka/flag_support.h"

namespace neardup::TEST_FILE {
namespace {

std::string chain_of(const std::vector<std::string>& flags) {
  Chain chain;
  for (const std::string& flag : flags) chain.add(flag);
  return chain.digits();
}

TEST(Chain, OfNothingIsZero) { EXPECT_EQ(Chain().digits(), std::string(32, '0')); }

// Chains are stored and committed: no version may give others.
TEST(Chain, OfTheseFlagsIsAlwaysThis) {
  EXPECT_EQ(chain_of({"", "a", "the second flag"}), "d64cfcfaac764fa4d420779637b5ff9e");
  EXPECT_EQ(
      chain_of({encoded(with_original(test_flag(7, Status::kNearDuplicate), VerifiedBy::kSketch))}),
      "6617930d85a76713365a81744abf7e9f");
}

TEST(Chain, GoesOnFromItsDigits) {
  Chain chain(chain_of({"a", "b"}));
  chain.add("c");
  EXPECT_EQ(chain.digits(), chain_of({"a", "b", "c"}));
}

TEST(Chain, DependsOnOrderAndOnWhereFlagsEnd) {
  const std::vector<std::vector<std::string>> all{{"a", "b"}, {"b", "a"},     {"ab"},
                                                  {"a"},      {"a", "b", ""}, {"", "a", "b"}};
  std::vector<std::string> chains;
  for (const auto& flags : all) chains.push_back(chain_of(flags));
  std::ranges::sort(chains);
  EXPECT_EQ(std::ranges::adjacent_find(chains), chains.end());
}

TEST(Chain, EachHalfOfAnEarlierValueMatters) {
  const std::string zero(32, '0');
  for (const std::size_t at : {std::size_t{0}, std::size_t{31}}) {
    std::string other = zero;
    other[at] = '1';
    Chain a(zero);
    Chain b(other);
    a.add("flag");
    b.add("flag");
    EXPECT_NE(a.digits(), b.digits()) << at;
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
