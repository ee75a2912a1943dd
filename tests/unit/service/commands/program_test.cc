// The program itself: exit statuses and what goes where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/report/library_versions.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

testing::Outcome neardup(const std::string& words) {
  return testing::run_program(NEARDUP_BINARY " " + words);
}

TEST(Program, VersionNamesTheLibraries) {
  EXPECT_EQ(neardup("--version").status, 0);
  EXPECT_EQ(neardup("--version").out, version_text() + "\n");
}

TEST(Program, HelpGoesToStandardOutput) {
  EXPECT_EQ(neardup("--help 2>/dev/null").status, 0);
  EXPECT_THAT(neardup("--help 2>/dev/null").out, HasSubstr("scan"));
  EXPECT_THAT(neardup("config check --help 2>/dev/null").out, HasSubstr("FILE"));
}

TEST(Program, WrongUsageExitsWith64) {
  EXPECT_EQ(neardup("scann").status, 64);
  EXPECT_EQ(neardup("scann 2>/dev/null").out, "");
  EXPECT_THAT(neardup("stats").out, StartsWith("neardup: --state DIR is needed"));
  EXPECT_EQ(neardup("tune --j1 0.1 --j2 0.5").status, 64);
}

TEST(Program, ABadConfigurationExitsWith78AndListsItAll) {
  const auto outcome = neardup("tune --set threshold=7 --set sketch.bitss=3");
  EXPECT_EQ(outcome.status, 78);
  EXPECT_THAT(outcome.out, HasSubstr("threshold"));
  EXPECT_THAT(outcome.out, HasSubstr("did you mean `sketch.bits`?"));
}

TEST(Program, EveryBackendKnowsTheVectors) {
  const auto outcome = neardup("verify-vectors");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("cpu portable"));
  EXPECT_THAT(outcome.out, ::testing::AnyOf(HasSubstr("cuda: skipped, "), HasSubstr("cuda: 176")));
}

TEST(Program, BashTakesItsCompletions) {
  const auto outcome = testing::run_program("bash -c 'source <(" NEARDUP_BINARY
                                            " completions bash); complete -p neardup'");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("complete -F _neardup neardup"));
}

TEST(Program, ADeletedOriginalIsNoLongerFound) {
  const ScratchDirectory scratch;
  const std::string text = "one two three four five six seven eight nine ten";
  const auto line = [&](const std::string& id) {
    return "{\"id\":\"" + id + "\",\"text\":\"" + text + "\"}\n";
  };
  const std::string state = " --state " + scratch.file("state") + " ";
  const std::string first = scratch.write("first", line("a") + line("b"));
  const std::string second = scratch.write("second", line("c"));
  EXPECT_THAT(neardup("scan" + state + first + " 2>/dev/null").out,
              HasSubstr("\"duplicate_of\":\"a\""));
  EXPECT_THAT(neardup("delete" + state + "a").out, StartsWith("deleted 1 of 1\n"));
  EXPECT_EQ(neardup("compact" + state).status, 0);
  EXPECT_THAT(neardup("scan" + state + second + " 2>/dev/null").out,
              HasSubstr("\"status\":\"unique\""));
  EXPECT_THAT(neardup("stats" + state).out, HasSubstr("documents    1\nids          2\n"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
