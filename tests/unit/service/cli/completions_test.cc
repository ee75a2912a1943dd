#include "service/cli/completions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "config/fields.h"
#include "service/commands/commands.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

std::vector<std::string> texts(const Completion& completion) {
  std::vector<std::string> words;
  for (const Completion::Word& word : completion.words) words.push_back(word.text);
  return words;
}

Completion of(std::vector<std::string> words) { return complete(words); }

TEST(Completions, EveryCommandAndOptionIsOffered) {
  for (const CommandSpec& spec : commands()) {
    SCOPED_TRACE(spec.name);
    std::vector<std::string> words;
    std::istringstream typed{std::string(spec.name)};
    for (std::string word; typed >> word;) {
      words.emplace_back();
      EXPECT_THAT(texts(complete(words)), Contains(word));
      words.back() = word;
    }
    words.emplace_back("-");
    for (const OptionSpec& option : spec.options) {
      EXPECT_THAT(texts(complete(words)), Contains(std::string(option.name)));
    }
  }
}

TEST(Completions, AGroupIsOfferedOnceWithItsHelp) {
  const Completion found = of({"confi"});
  ASSERT_EQ(found.words.size(), 1u);
  EXPECT_EQ(found.words[0].text, "config");
  EXPECT_EQ(found.words[0].help, group_help("config"));
}

TEST(Completions, EverySettingIsOfferedWithTheWordsOfItsField) {
  const auto values = [](const std::string& key) {
    std::vector<std::string> found;
    for (const std::string& word : texts(of({"scan", "--set", key + "="})))
      found.push_back(word.substr(key.size() + 1));
    return found;
  };
  EXPECT_EQ(texts(of({"scan", "--set", ""})).size(), fields().size());
  EXPECT_THAT(values("verify.mode"), ElementsAre("none", "sketch", "exact"));
  EXPECT_THAT(values("filter.one_bit"), ElementsAre("true", "false"));
  EXPECT_THAT(values("sketch.bits"), ElementsAre("1", "2", "4", "8", "16", "32"));
  EXPECT_THAT(values("cpu.threads"), ElementsAre("auto"));
  EXPECT_THAT(values("threshold"), IsEmpty());
}

TEST(Completions, LinesEndWithWhatElseFits) {
  EXPECT_EQ(completion_lines(of({"completions", "z"})), "zsh\t\n:\n");
  EXPECT_EQ(completion_lines(of({"scan", "in"})), ":file\n");
  EXPECT_EQ(completion_lines(of({"stats", "--state=x"})), ":directory\n");
  EXPECT_THAT(completion_lines(of({"scan", "--set", "verify"})),
              ::testing::EndsWith("\n:nospace\n"));
  EXPECT_EQ(completion_lines(of({"no-such-command", "x", ""})), ":\n");
  EXPECT_EQ(completion_lines(of({})), ":\n");
}

TEST(Completions, AnotherShellIsRefused) {
  const auto outcome = testing::run_command(run_completions, {"completions", "tcsh"});
  EXPECT_EQ(outcome.status, 64);
  EXPECT_THAT(outcome.err, HasSubstr("bash, zsh or fish"));
}

// A shell that is installed must at least read the script.
TEST(Completions, ZshAndFishReadTheirScripts) {
  const ScratchDirectory scratch;
  for (const std::string shell : {"zsh", "fish"}) {
    const std::string file = scratch.write(shell, std::string(completion_script(shell).value()));
    const auto outcome = testing::run_program("command -v " + shell + " > /dev/null || exit 0; " +
                                              shell + " -n " + file);
    EXPECT_EQ(outcome.status, 0) << outcome.out;
  }
}

class BashCompletions : public ::testing::Test {
 protected:
  BashCompletions() {
    scratch_.write("script", std::string(completion_script("bash").value()));
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
            "; _neardup " NEARDUP_BINARY "; printf \"%s\\n\" \"${COMPREPLY[@]}\"'";
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
}  // namespace neardup::TEST_FILE
