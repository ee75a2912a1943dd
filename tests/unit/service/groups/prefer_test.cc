#include "service/groups/prefer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The best by `rules` of: short, http; long, no url; long, https and a long url.
std::size_t best(std::string_view rules, std::array<double, 3> scores = {}) {
  const std::array<MemberFacts, 3> members{
      {{5, facts_of("http://x/", 10), std::span(scores).subspan(0, 1)},
       {7, facts_of("", 20), std::span(scores).subspan(1, 1)},
       {9, facts_of("https://example.org/", 20), std::span(scores).subspan(2, 1)}}};
  return Preference(rules).best(members);
}

std::string refusal(std::string_view rules) {
  try {
    const Preference preference(rules);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kUsage);
    return failure.what();
  }
  return "";
}

std::string missing(std::string_view rules, const KnownFacts& known) {
  try {
    Preference(rules).require(known);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kUsage);
    return failure.what();
  }
  return "";
}

TEST(Preference, each_rule_has_its_best) {
  EXPECT_EQ(best("oldest"), 0);
  EXPECT_EQ(best("newest"), 2);
  EXPECT_EQ(best("shortest_url"), 0);
  EXPECT_EQ(best("https"), 2);
  EXPECT_EQ(best("score:/q", {1, -2, 1.5}), 2);
}

TEST(Preference, the_first_of_equal_ones_is_the_best) {
  EXPECT_EQ(best("longest"), 1);
  EXPECT_EQ(best("score:/q", {3, 3, 3}), 0);
}

TEST(Preference, later_rules_are_for_ties) {
  EXPECT_EQ(best("longest,newest"), 2);
  EXPECT_EQ(best("longest,shortest_url"), 2);
  EXPECT_EQ(best("score:/q,longest,oldest", {4, 4, kNoScore}), 1);
  EXPECT_EQ(best("newest,oldest"), 2);
}

TEST(Preference, what_is_missing_is_the_worst) {
  EXPECT_EQ(best("score:/q", {kNoScore, -1e300, kNoScore}), 1);
  const std::array<MemberFacts, 2> urls{
      {{1, facts_of("", 1), {}}, {2, facts_of("http://x/", 1), {}}}};
  EXPECT_EQ(Preference("shortest_url").best(urls), 1);
}

TEST(Preference, several_scores_are_told_apart) {
  const Preference preference("score:/a,score:/b/0");
  EXPECT_THAT(preference.score_pointers(), ElementsAre("/a", "/b/0"));
  const std::array<double, 4> scores{1, 2, 1, 3};
  const std::array<MemberFacts, 2> members{
      {{1, {}, std::span(scores).first(2)}, {2, {}, std::span(scores).last(2)}}};
  EXPECT_EQ(preference.best(members), 1);
}

TEST(Preference, unknown_rules_are_refused) {
  EXPECT_THAT(refusal("longst"), HasSubstr("not `longst`"));
  for (const char* rules : {"", "longest,", ",oldest", "longest oldest", "score", "Longest"}) {
    EXPECT_THAT(refusal(rules), HasSubstr("--prefer takes longest, shortest_url")) << rules;
  }
  EXPECT_THAT(refusal("score:"), HasSubstr("JSON pointer"));
  EXPECT_THAT(refusal("score:quality"), HasSubstr("JSON pointer"));
}

TEST(Preference, what_no_document_has_is_named_with_its_setting) {
  const KnownFacts nothing{.scores = {false}};
  EXPECT_THAT(missing("longest", nothing),
              HasSubstr("longest needs text_bytes in the flags (output.fields: [text_bytes])"));
  EXPECT_THAT(missing("oldest,shortest_url", nothing), HasSubstr("shortest_url needs url"));
  EXPECT_THAT(missing("https", nothing), HasSubstr("https needs url"));
  EXPECT_THAT(missing("score:/q", nothing), HasSubstr("score:/q needs --inputs"));
  EXPECT_EQ(missing("oldest,newest", nothing), "");
  EXPECT_EQ(missing("longest,https,score:/q", {true, true, {true}}), "");
}

TEST(Facts, numbers_that_are_too_large_stay_the_largest) {
  const Facts facts = facts_of("https:" + std::string(70'000, 'x'), std::uint64_t{1} << 32);
  EXPECT_EQ(facts.text_bytes, 0xffff'ffff);
  EXPECT_EQ(facts.url_bytes, 0xffff);
  EXPECT_TRUE(facts.https);
  EXPECT_FALSE(facts_of("httpsx", 1).https);
}

}  // namespace
}  // namespace neardup::TEST_FILE
