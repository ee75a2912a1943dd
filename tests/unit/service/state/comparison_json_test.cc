// What a comparison says as JSON, whole and within limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/state/comparison.h"

namespace neardup::TEST_FILE {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Comparison comparison_of(std::string_view a, std::string_view b) {
  const Rule rule;
  return make_comparison(*side_of_text("a", a, rule), *side_of_text("b", b, rule), rule);
}

const Comparison& cats() {
  static const Comparison comparison = comparison_of("The cat sat on the mat <and> slept",
                                                     "Well, the cat sat on the mat <and> woke");
  return comparison;
}

TEST(ComparisonJson, without_limits_it_has_no_texts) {
  const std::string json = comparison_json(cats());
  EXPECT_THAT(json, HasSubstr(R"("marks":{"a":[[0,28]],"b":[[6,34]]})"));
  EXPECT_THAT(json, Not(AllOf(HasSubstr("content"), HasSubstr("left_out"))));
}

TEST(ComparisonJson, texts_stand_with_their_sides_as_they_were_written) {
  const std::string json = comparison_json(cats(), {.text_bytes = 1000});
  EXPECT_THAT(json, HasSubstr(R"("content":"The cat sat on the mat <and> slept"})"));
  EXPECT_THAT(json, Not(HasSubstr("excerpt")));
  EXPECT_THAT(json, HasSubstr(R"("content":"Well, the cat sat on the mat <and> woke"})"));
  EXPECT_THAT(json, HasSubstr(R"("marks":{"a":[[0,28]],"b":[[6,34]]})"));
}

TEST(ComparisonJson, long_passages_are_cut_and_the_others_counted) {
  const std::string json = comparison_json(cats(), {.passages = 1, .passage_bytes = 7});
  EXPECT_THAT(json, HasSubstr(R"("shared":[{"tokens":7,"text":"The cat…"}])"));
  EXPECT_THAT(json, HasSubstr(R"("left_out":{"shared":0,"only_a":0,"only_b":1})"));
}

TEST(ComparisonJson, differences_are_told_up_to_a_change_and_long_ones_are_cut) {
  const Comparison comparison =
      comparison_of("one two three four five", "one 2nd three four fifth");
  EXPECT_THAT(
      comparison_json(comparison),
      HasSubstr(R"("differences":{"changes":2,"shortest":true,"parts":[{"a":"one ","b":"one "},)"
                R"({"a":"two","b":"2nd","changed":true},{"a":" three four ","b":" three four "},)"
                R"({"a":"five","b":"fifth","changed":true}]})"));
  EXPECT_THAT(comparison_json(comparison, {.changes = 1, .change_bytes = 2}),
              HasSubstr(R"("changes":2,"shortest":true,"parts":[{"a":"one ","b":"one "},)"
                        R"({"a":"tw…","b":"2n…","changed":true}]})"));
}

TEST(ComparisonJson, without_the_seed_no_sketch_is_made_of_a_text) {
  Rule rule;
  rule.unknown_seed = 1;
  const std::string text = "The cat sat on the mat <and> slept";
  const std::string json = comparison_json(
      make_comparison(*side_of_text("a", text, rule), *side_of_text("b", text, rule), rule));
  EXPECT_THAT(json, HasSubstr(R"("no_sketch":"the seed of the state is secret)"));
  EXPECT_THAT(json, HasSubstr(R"(the text of both has a sketch")"));
  EXPECT_THAT(json, Not(HasSubstr(R"("sketch":)")));
  EXPECT_THAT(json, HasSubstr(R"("same_content":true)"));
  EXPECT_THAT(json, HasSubstr(R"("exact":{"similarity":1.000)"));
}

TEST(ComparisonJson, marks_of_an_excerpt_are_those_of_its_text) {
  std::string same;
  for (int i = 0; i < 2000; ++i) same += "word" + std::to_string(i) + " ";
  const Comparison comparison = comparison_of("only here " + same, "elsewhere " + same);
  const std::string json = comparison_json(comparison, {.passage_bytes = 20, .text_bytes = 3000});
  EXPECT_LT(json.size(), 3000);
  EXPECT_THAT(json, HasSubstr(R"("content":"only here word0 word1 )"));
  EXPECT_THAT(json, HasSubstr(R"("excerpt":true},"b":{"name":"b",)"));
  EXPECT_THAT(json, HasSubstr(R"("marks":{"a":[[10,)"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
