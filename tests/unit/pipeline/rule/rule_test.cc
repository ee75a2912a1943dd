#include "pipeline/rule/rule.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;

Rule permutation_rule() {
  Rule rule;
  rule.plan.sketch = {SketchFamily::kMinhash, 64, 4, MinhashHash::kPermutation, 4096, {}};
  return rule;
}

// Everything that decides, changed one by one.
std::vector<std::function<void(Rule&)>> changes() {
  return {
      [](Rule& r) { r.decision.threshold = 700'000; },
      [](Rule& r) { r.decision.against = Against::kAll; },
      [](Rule& r) { r.decision.verify = VerifyMode::kExact; },
      [](Rule& r) { r.decision.verify = VerifyMode::kNone; },
      [](Rule& r) { r.text.invalid_utf8 = InvalidUtf8::kReject; },
      [](Rule& r) { r.text.fold = TextFold::kMarks; },
      [](Rule& r) { r.text.min_tokens = 4; },
      [](Rule& r) { r.text.max_bytes = 1000; },
      [](Rule& r) { r.plan.shingle.unit = ShingleUnit::kChar; },
      [](Rule& r) { r.plan.shingle.size = 6; },
      [](Rule& r) { r.plan.sketch.family = SketchFamily::kMinhash; },
      [](Rule& r) { r.plan.sketch.size = 128; },
      [](Rule& r) { r.plan.sketch.bits = 16; },
      [](Rule& r) { r.plan.bands = 21; },
      [](Rule& r) { r.plan.rows = 5; },
      [](Rule& r) { r.bucket_cap = 65; },
      [](Rule& r) { r.retention.max_age_ms = 1'000; },
      [](Rule& r) { r.retention = {.max_age_ms = 1'000, .max_step_ms = 1'000}; },
      [](Rule& r) { r.retention.max_documents = 1'000; },
      [](Rule& r) { r.retention.max_bytes = 1'000; },
      [](Rule& r) { r = permutation_rule(); },
      [](Rule& r) { (r = permutation_rule()).plan.sketch.hash = MinhashHash::kMs32; },
      [](Rule& r) { (r = permutation_rule()).plan.sketch.universe = 8192; },
  };
}

TEST(RuleText, everything_that_decides_changes_the_fingerprint) {
  std::set<std::string> seen = {rule_fingerprint(rule_text(Rule{}))};
  for (const auto& change : changes()) {
    Rule rule;
    change(rule);
    EXPECT_TRUE(seen.insert(rule_fingerprint(rule_text(rule))).second) << rule_text(rule);
  }
}

TEST(RuleText, the_seed_is_in_it_by_its_check_value_only) {
  Rule rule;
  rule.plan.sketch.seed = {0xfeedfacecafebeef, 0x0123456789abcdef};
  const std::string text = rule_text(rule);
  EXPECT_NE(rule_fingerprint(text), rule_fingerprint(rule_text(Rule{})));
  EXPECT_THAT(text, testing::Not(HasSubstr("feedface")));
  EXPECT_THAT(text, testing::Not(HasSubstr("01234567")));
}

TEST(RuleText, what_only_the_other_family_uses_does_not_count) {
  Rule rule;
  rule.plan.sketch.hash = MinhashHash::k4u;
  EXPECT_EQ(rule_text(rule), rule_text(Rule{}));
}

TEST(RuleText, without_an_age_that_matters_a_step_does_not_count) {
  Rule rule;
  rule.retention.max_step_ms = 1'000;
  EXPECT_EQ(rule_text(rule), rule_text(Rule{}));
}

TEST(RuleText, without_retention_it_says_nothing_of_it) {
  EXPECT_THAT(rule_text(Rule{}), testing::Not(HasSubstr("retention")));
}

TEST(RuleText, a_fingerprint_has_16_hex_digits) {
  EXPECT_THAT(rule_fingerprint(rule_text(Rule{})), testing::MatchesRegex("[0-9a-f]{16}"));
}

TEST(RuleText, is_read_back_whole) {
  EXPECT_EQ(rule_text(parse_rule(rule_text(Rule{})).value()), rule_text(Rule{}));
  for (const auto& change : changes()) {
    Rule rule;
    change(rule);
    const std::string text = rule_text(rule);
    const std::optional<Rule> read = parse_rule(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(rule_text(*read), text);
  }
}

TEST(RuleText, without_its_seed_it_is_read_back_whole_too) {
  Rule rule;
  rule.plan.sketch.seed = {1, 2};
  const std::string text = rule_text(rule);
  Rule read = parse_rule(text).value();
  EXPECT_TRUE(read.unknown_seed);
  EXPECT_EQ(rule_text(read), text);
  EXPECT_FALSE(give_seed(read, Seed()));
  EXPECT_FALSE(give_seed(read, {2, 1}));
  EXPECT_TRUE(read.unknown_seed);
  EXPECT_TRUE(give_seed(read, rule.plan.sketch.seed));
  EXPECT_FALSE(read.unknown_seed);
  EXPECT_EQ(read.plan.sketch.seed, rule.plan.sketch.seed);
  EXPECT_EQ(rule_text(read), text);
}

TEST(RuleText, the_default_seed_is_known) {
  EXPECT_FALSE(parse_rule(rule_text(Rule{})).value().unknown_seed);
}

TEST(RuleText, one_that_is_not_ours_is_not_read) {
  const std::string text = rule_text(Rule{});
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return changed;
  };
  for (const std::string& wrong :
       {std::string(), std::string("no rule"), text.substr(0, text.size() / 2),
        replaced("rule_version: 1", "rule_version: 2"), replaced("text.model: 2", "text.model: 3"),
        replaced("kept", "some"), replaced("sketch.size: 256", "sketch.size: many"),
        replaced("seed_check: ", "seed_check: x"), replaced("lsh.rows", "lsh.raws"),
        text + "retention.max_age_ms: long\n"}) {
    EXPECT_FALSE(parse_rule(wrong)) << wrong;
  }
}

TEST(RuleText, one_of_neardup_0_1_has_text_model_1) {
  const std::string text = rule_text(Rule{});
  EXPECT_EQ(parse_rule(text)->text_model, 2U);
  std::string old = text;
  old.erase(old.find("text.model"), std::string_view("text.model: 2\n").size());
  ASSERT_TRUE(parse_rule(old));
  EXPECT_EQ(parse_rule(old)->text_model, 1U);
  EXPECT_EQ(rule_text(*parse_rule(old)), old);
}

TEST(RuleText, a_difference_shows_both_sides_and_nothing_else) {
  Rule other;
  other.decision.threshold = 700'000;
  other.plan.sketch = permutation_rule().plan.sketch;
  other.plan.sketch.size = 256;
  other.plan.sketch.bits = 8;
  const std::string text = rule_difference(rule_text(Rule{}), rule_text(other));
  EXPECT_THAT(text, HasSubstr("threshold_ppm: 800000 in the state, 700000 now"));
  EXPECT_THAT(text, HasSubstr("sketch.family: fast_similarity in the state, minhash now"));
  EXPECT_THAT(text, HasSubstr("sketch.universe: (none) in the state, 4096 now"));
  EXPECT_THAT(text, testing::Not(HasSubstr("lsh.")));
  EXPECT_EQ(rule_difference(rule_text(other), rule_text(other)), "");
}

}  // namespace
}  // namespace neardup::TEST_FILE
