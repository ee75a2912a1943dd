// Settings given, against the rule of a state that is read.
#include "service/commands/state_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/keys.h"
#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

CommandLine check_with(const std::vector<std::string>& sets) {
  std::vector<const char*> argv{"neardup", "check"};
  for (const std::string& set : sets) argv.insert(argv.end(), {"--set", set.c_str()});
  return *parse_command_line(static_cast<int>(argv.size()), argv.data(), "test").command_line;
}

Rule own_rule() {
  Rule rule;
  rule.decision = {700'000, Against::kAll, VerifyMode::kExact};
  rule.plan.bands = 20;
  rule.plan.rows = 5;
  return rule;
}

StateSettings settings(const std::string& stored, const std::vector<std::string>& sets) {
  return settings_for(check_with(sets), ConfigUse::kKeptState, stored);
}

std::string refusal(const std::string& stored, const std::vector<std::string>& sets) {
  try {
    settings(stored, sets);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kConfig);
    return failure.what();
  }
  return "";
}

TEST(StateSettings, TheRuleIsThatOfTheState) {
  const std::string stored = rule_text(own_rule());
  const auto [config, rule] = settings(stored, {"cpu.threads=1"});
  EXPECT_EQ(rule_text(rule), stored);
  EXPECT_EQ(config.decision.threshold, 700'000u);
  EXPECT_EQ(config.lsh.bands, 20u);
  EXPECT_EQ(config.cpu.threads, 1u);
}

TEST(StateSettings, ASettingIsJudgedAlone) {
  const std::string stored = rule_text(own_rule());
  EXPECT_THAT(refusal(stored, {"threshold=0.7", "against=kept", "sketch.size=64"}),
              AllOf(HasSubstr("`against` is kept, that of the state is all"),
                    HasSubstr("`sketch.size` is 64, that of the state is 256"),
                    Not(HasSubstr("threshold"))));
  EXPECT_THAT(refusal(stored, {"sketch.family=minhash", "sketch.hash=4u"}),
              AllOf(HasSubstr("`sketch.family` is minhash"), Not(HasSubstr("sketch.hash"))));
}

TEST(StateSettings, BandsAreSolvedOnlyForARecallThatIsGiven) {
  Rule rule = own_rule();
  EXPECT_EQ(refusal(rule_text(rule), {"storage.expected_documents=1000000000"}), "");
  EXPECT_THAT(refusal(rule_text(rule), {"lsh.recall=0.9"}), HasSubstr("the state has 20 of 5"));
  EXPECT_EQ(refusal(rule_text(rule), {"lsh.recall=0.9", "lsh.bands=20", "lsh.rows=5"}), "");
  Config like;
  like.decision = rule.decision;
  rule.plan.bands = make_rule(like).plan.bands;
  rule.plan.rows = make_rule(like).plan.rows;
  EXPECT_EQ(refusal(rule_text(rule), {"lsh.recall=0.99"}), "");
}

TEST(StateSettings, ASecretSeedIsKnownOnlyWhereItIsGiven) {
  Rule rule = own_rule();
  rule.plan.sketch.seed = {1, 2};
  const std::string stored = rule_text(rule);
  const Rule without = settings(stored, {}).rule;
  EXPECT_EQ(without.unknown_seed, seed_check_value(rule.plan.sketch.seed));
  EXPECT_EQ(rule_text(without), stored);
  EXPECT_THROW(require_seed(without, "this"), Failure);
  const auto with = settings(stored, {"sketch.seed=00000000000000010000000000000002"});
  EXPECT_FALSE(with.rule.unknown_seed);
  EXPECT_EQ(with.rule.plan.sketch.seed, rule.plan.sketch.seed);
  require_seed(with.rule, "this");
  EXPECT_THAT(refusal(stored, {"sketch.seed=00000000000000020000000000000001"}),
              HasSubstr("the seed given is not that of the state"));
  EXPECT_THAT(refusal(stored, {"sketch.seed_file=/missing"}),
              AllOf(HasSubstr("cannot be read"), Not(HasSubstr("not that of the state"))));
}

TEST(StateSettings, AStateWithoutARuleTakesWhatIsGiven) {
  EXPECT_EQ(settings("", {"threshold=0.7"}).rule.decision.threshold, 700'000u);
}

TEST(StateSettings, ARuleOfAnotherVersionIsThatOfTheSettingsOrRefused) {
  std::string stored = rule_text(make_rule(Config()));
  stored.replace(stored.find("unicode: "), 11, "unicode: 99");
  EXPECT_THAT(refusal(stored, {}), HasSubstr("unicode: 99.0 in the state, 15.0 now"));
}

TEST(StateSettings, ARuleOfAnOlderTextModelIsRefused) {
  Rule rule = own_rule();
  rule.text_model = 1;
  EXPECT_THAT(refusal(rule_text(rule), {}), HasSubstr("the state has text model 1"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
