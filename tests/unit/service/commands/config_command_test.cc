#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/show.h"
#include "service/commands/commands.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;

class ConfigCommand : public ::testing::Test {
 protected:
  testing::Outcome check(const std::string& yaml) {
    file_ = scratch_.write("a.yaml", yaml);
    return testing::run_command(run_config_check, {"config", "check", file_});
  }

  ScratchDirectory scratch_;
  std::string file_;
};

TEST_F(ConfigCommand, CheckSaysThatAllIsWell) {
  const auto outcome = check("threshold: 0.9\n");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, file_ + ": no problems\n");
}

TEST_F(ConfigCommand, CheckListsAllProblemsWithTheirLines) {
  const auto outcome = check("threshold: 2\nsketch: {siez: 128}\nverify: {mode: maybe}\n");
  EXPECT_EQ(outcome.status, 78);
  EXPECT_THAT(outcome.err, HasSubstr("a.yaml:1"));
  EXPECT_THAT(outcome.err, HasSubstr("a.yaml:2"));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean `sketch.size`?"));
  EXPECT_THAT(outcome.err, HasSubstr("a.yaml:3"));
}

TEST_F(ConfigCommand, CheckFindsBandsThatDoNotFitTheDocuments) {
  const auto outcome = check("lsh: {bands: 20, rows: 2}\n");
  EXPECT_EQ(outcome.status, 78);
  EXPECT_THAT(outcome.err, HasSubstr("the smallest that fits is 4"));
}

TEST_F(ConfigCommand, ShowReadsBackAsItself) {
  const auto defaults = testing::run_command(run_config_show, {"config", "show"});
  EXPECT_EQ(defaults.status, 0);
  EXPECT_THAT(defaults.out, HasSubstr("threshold: 0.8\n"));
  const auto changed =
      testing::run_command(run_config_show, {"config", "show", "--set", "threshold=0.7"});
  const std::string file = scratch_.write("shown.yaml", changed.out);
  EXPECT_EQ(testing::run_command(run_config_show, {"config", "show", file}).out, changed.out);
}

TEST_F(ConfigCommand, ReferenceIsThePageOfTheDocs) {
  EXPECT_EQ(testing::run_command(run_config_reference, {"config", "reference"}).out,
            reference_markdown());
}

}  // namespace
}  // namespace neardup::TEST_FILE
