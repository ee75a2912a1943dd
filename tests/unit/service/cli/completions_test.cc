#include "service/cli/completions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "config/fields.h"
#include "service/commands/commands.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

TEST(CompletionTables, WordsComeFromTheCommandTable) {
  EXPECT_THAT(first_words(), IsSupersetOf({"scan", "verify-vectors", "config", "completions"}));
  EXPECT_EQ(std::ranges::count(first_words(), "config"), 1);
  EXPECT_THAT(second_words("config"), ElementsAre("check", "show", "reference", "schema"));
  EXPECT_THAT(second_words("scan"), IsEmpty());
}

TEST(CompletionTables, SettingsListTheWordsOfTheirField) {
  const auto words = [](std::string_view key) {
    const auto settings = setting_words();
    return std::ranges::find(settings, key, &SettingWords::key)->words;
  };
  EXPECT_EQ(setting_words().size(), fields().size());
  EXPECT_THAT(words("verify.mode"), ElementsAre("none", "sketch", "exact"));
  EXPECT_THAT(words("filter.one_bit"), ElementsAre("true", "false"));
  EXPECT_THAT(words("sketch.bits"), ElementsAre("1", "2", "4", "8", "16", "32"));
  EXPECT_THAT(words("cpu.threads"), ElementsAre("auto"));
  EXPECT_THAT(words("threshold"), IsEmpty());
}

TEST(Completions, EveryScriptNamesEveryCommandOptionAndSetting) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    SCOPED_TRACE(shell);
    const std::string script = completion_script(shell).value();
    for (const CommandSpec& spec : commands()) {
      EXPECT_THAT(script, HasSubstr(std::string(spec.name.substr(spec.name.find(' ') + 1))));
      for (const OptionSpec& option : spec.options) {
        EXPECT_THAT(script, HasSubstr(std::string(option.name.substr(2))));
      }
    }
    for (const Field& field : fields()) EXPECT_THAT(script, HasSubstr(std::string(field.key)));
  }
}

TEST(Completions, AnotherShellIsRefused) {
  const auto outcome = testing::run_command(run_completions, {"completions", "tcsh"});
  EXPECT_EQ(outcome.status, 64);
  EXPECT_THAT(outcome.err, HasSubstr("bash, zsh or fish"));
}

TEST(Completions, QuotesAreEscapedForEachShell) {
  EXPECT_EQ(quoted("it's \\", R"('\'')", "\\"), R"('it'\''s \')");
  EXPECT_EQ(quoted("it's \\", "\\'", "\\\\"), R"('it\'s \\')");
}

// A shell that is installed must at least read the script.
TEST(Completions, ZshAndFishReadTheirScripts) {
  const ScratchDirectory scratch;
  for (const std::string shell : {"zsh", "fish"}) {
    const std::string file = scratch.write(shell, completion_script(shell).value());
    const auto outcome = testing::run_program("command -v " + shell + " > /dev/null || exit 0; " +
                                              shell + " -n " + file);
    EXPECT_EQ(outcome.status, 0) << outcome.out;
  }
}

class BashCompletions : public ::testing::Test {
 protected:
  BashCompletions() {
    scratch_.write("script", bash_completions());
    scratch_.write("input one.jsonl", "");
    std::filesystem::create_directory(scratch_.file("input-folder"));
  }

  // What bash offers for the last of `words`, which are split as readline splits them.
  std::vector<std::string> offered(const std::vector<std::string>& words) {
    std::string line =
        "cd " + scratch_.file("") +
        " && bash -c 'set -u; source ./script; complete -p neardup >/dev/null || exit 9; "
        "COMP_WORDS=(neardup";
    for (const std::string& word : words) line += " \"" + word + "\"";
    line += "); COMP_CWORD=" + std::to_string(words.size()) +
            "; _neardup; printf \"%s\\n\" \"${COMPREPLY[@]}\"'";
    const auto outcome = testing::run_program(line);
    EXPECT_EQ(outcome.status, 0) << outcome.out;
    std::istringstream lines(outcome.out);
    std::vector<std::string> found;
    for (std::string each; std::getline(lines, each);) {
      if (!each.empty()) found.push_back(each);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  ScratchDirectory scratch_;
};

TEST_F(BashCompletions, CommandsComeFirst) {
  EXPECT_THAT(offered({""}), IsSupersetOf({"scan", "config", "tune", "verify-vectors"}));
  EXPECT_THAT(offered({"sc"}), ElementsAre("scan"));
  EXPECT_THAT(offered({"--v"}), ElementsAre("--version"));
}

TEST_F(BashCompletions, TheSecondWordOfAGroup) {
  EXPECT_THAT(offered({"config", ""}), ElementsAre("check", "reference", "schema", "show"));
  EXPECT_THAT(offered({"config", "check", "input-"}), ElementsAre("input-folder"));
  EXPECT_THAT(offered({"config", "reference", ""}), IsEmpty());
}

TEST_F(BashCompletions, OptionsAreThoseOfTheCommand) {
  EXPECT_THAT(offered({"scan", "--re"}), ElementsAre("--rescan"));
  EXPECT_THAT(offered({"stats", "--"}), ElementsAre("--help", "--json", "--state"));
  EXPECT_THAT(offered({"scan", "x", "--"}), Contains("--state"));
}

TEST_F(BashCompletions, FilesAndDirectoriesAsTheOptionTakesThem) {
  EXPECT_THAT(offered({"scan", "inp"}), ElementsAre("input one.jsonl", "input-folder"));
  EXPECT_THAT(offered({"scan", "--state", "inp"}), ElementsAre("input-folder"));
  EXPECT_THAT(offered({"scan", "-c", "inp"}), ElementsAre("input one.jsonl", "input-folder"));
  EXPECT_THAT(offered({"scan", "--state", "=", "inp"}), ElementsAre("input-folder"));
  EXPECT_THAT(offered({"tune", "--threshold", ""}), IsEmpty());
  EXPECT_THAT(offered({"delete", "--state", "x", "inp"}), IsEmpty());
}

TEST_F(BashCompletions, SettingsAndTheirValues) {
  EXPECT_THAT(offered({"scan", "--set", "verify"}), ElementsAre("verify.mode="));
  EXPECT_THAT(offered({"serve", "--set", "kafka.lib"}), ElementsAre("kafka.librdkafka."));
  EXPECT_THAT(offered({"serve", "--set", "kafka.sec"}), ElementsAre("kafka.secrets."));
  EXPECT_THAT(offered({"scan", "--set", "verify.mode", "="}),
              ElementsAre("exact", "none", "sketch"));
  EXPECT_THAT(offered({"scan", "--set", "verify.mode", "=", "ex"}), ElementsAre("exact"));
  EXPECT_THAT(offered({"scan", "--set", "verify.mode=ex"}), ElementsAre("verify.mode=exact"));
  EXPECT_THAT(offered({"scan", "--set", "=", "verify.mode", "=", "ex"}), ElementsAre("exact"));
  EXPECT_THAT(offered({"scan", "--set", "threshold", "=", ""}), IsEmpty());
}

TEST_F(BashCompletions, TheShellsOfCompletions) {
  EXPECT_THAT(offered({"completions", ""}), ElementsAre("bash", "fish", "zsh"));
}

}  // namespace
}  // namespace neardup
