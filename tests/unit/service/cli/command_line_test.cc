#include "service/cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "service/cli/command_table.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ParseOutcome parse(std::vector<const char*> words) {
  words.insert(words.begin(), "neardup");
  return parse_command_line(static_cast<int>(words.size()), words.data(),
                            "neardup 1.2.3\nlibraries");
}

TEST(CommandLine, OptionsAndArgumentsComeByTheirLongNames) {
  const auto parsed = parse({"scan", "-c", "a.yaml", "--json", "x.jsonl", "-o", "flags", "-"});
  ASSERT_TRUE(parsed.command_line) << parsed.text;
  EXPECT_EQ(parsed.command_line->command, "scan");
  EXPECT_EQ(parsed.command_line->one("--config"), "a.yaml");
  EXPECT_EQ(parsed.command_line->one("--output"), "flags");
  EXPECT_TRUE(parsed.command_line->has("--json"));
  EXPECT_FALSE(parsed.command_line->has("--rescan"));
  EXPECT_EQ(parsed.command_line->one("--state"), std::nullopt);
  EXPECT_THAT(parsed.command_line->all("INPUT"), ElementsAre("x.jsonl", "-"));
}

TEST(CommandLine, ARepeatedOptionKeepsAllValues) {
  const auto parsed = parse({"scan", "--set", "a=1", "x", "--set", "b=2"});
  ASSERT_TRUE(parsed.command_line) << parsed.text;
  EXPECT_THAT(parsed.command_line->all("--set"), ElementsAre("a=1", "b=2"));
}

TEST(CommandLine, ASingleOptionGivenTwiceIsRefused) {
  EXPECT_EQ(parse({"stats", "--state", "a", "--state", "b"}).status, 64);
}

TEST(CommandLine, CommandsOfTwoWordsAreFound) {
  const auto parsed = parse({"config", "check", "a.yaml"});
  ASSERT_TRUE(parsed.command_line) << parsed.text;
  EXPECT_EQ(parsed.command_line->command, "config check");
  EXPECT_EQ(parsed.command_line->one("FILE"), "a.yaml");
}

TEST(CommandLine, WrongUsageExitsWith64AndSaysWhy) {
  for (const auto& words : std::vector<std::vector<const char*>>{{},
                                                                 {"scann"},
                                                                 {"features"},
                                                                 {"scan", "--stat", "x", "y"},
                                                                 {"config"},
                                                                 {"explain", "a"},
                                                                 {"explain", "a", "b", "c"}}) {
    const auto parsed = parse(words);
    EXPECT_FALSE(parsed.command_line);
    EXPECT_EQ(parsed.status, 64) << parsed.text;
    EXPECT_FALSE(parsed.text.empty());
  }
}

TEST(CommandLine, HelpAndVersionAreNoErrors) {
  EXPECT_EQ(parse({"--help"}).status, 0);
  EXPECT_THAT(parse({"--help"}).text, HasSubstr("verify-vectors"));
  EXPECT_EQ(parse({"--version"}).status, 0);
  EXPECT_THAT(parse({"--version"}).text, HasSubstr("neardup 1.2.3\nlibraries"));
}

TEST(CommandTable, EveryCommandHasHelpThatNamesItsOptions) {
  for (const CommandSpec& spec : commands()) {
    SCOPED_TRACE(spec.name);
    const std::string name(spec.name);
    const std::size_t space = name.find(' ');
    const std::string first = name.substr(0, space);
    const auto parsed = space == name.npos
                            ? parse({first.c_str(), "--help"})
                            : parse({first.c_str(), name.c_str() + space + 1, "--help"});
    EXPECT_EQ(parsed.status, 0);
    for (const OptionSpec& option : spec.options)
      EXPECT_THAT(parsed.text, HasSubstr(std::string(option.name)));
  }
}

TEST(CommandTable, EveryGroupHasItsOwnHelp) {
  EXPECT_THAT(parse({"metrics", "--help"}).text, HasSubstr("Document the metrics"));
  EXPECT_THAT(parse({"config", "--help"}).text, HasSubstr("document the configuration"));
}

TEST(CommandTable, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const CommandSpec& spec : commands()) {
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    std::set<std::string_view> options;
    for (const OptionSpec& option : spec.options)
      EXPECT_TRUE(options.insert(option.name).second) << option.name;
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
