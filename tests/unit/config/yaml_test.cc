// What a YAML text can do to us besides being right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/load_yaml.h"
#include "tests/unit/config/load_helper.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST(Yaml, ADuplicateKeyNamesBothLines) {
  EXPECT_THAT(load_yaml("threshold: 0.8\nagainst: all\nthreshold: 0.9\n").problems,
              ElementsAre("config.yaml:3: key `threshold` occurs twice, first on line 1"));
  EXPECT_THAT(load_yaml("sketch:\n  size: 8\n  size: 9\n").problems,
              ElementsAre("config.yaml:3: key `sketch.size` occurs twice, first on line 2"));
}

TEST(Yaml, ADuplicateSectionNamesBothLinesAndItsKeysAreStillChecked) {
  EXPECT_THAT(load_yaml("sketch: {size: 8}\nsketch: {size: 9, bts: 8}\n").problems,
              ElementsAre("config.yaml:2: key `sketch` occurs twice, first on line 1",
                          "config.yaml:2: key `sketch.size` occurs twice, first on line 1",
                          "config.yaml:2: unknown key `sketch.bts`, did you mean `sketch.bits`?"));
}

TEST(Yaml, ValuesOfTheWrongShapeAreProblems) {
  EXPECT_THAT(
      load_yaml("threshold: {value: 1, x: y}\nagainst: [kept]\nsketch: 5\nfilter: {one_bit: }\n"
                "verify: []\n")
          .problems,
      ElementsAre("config.yaml:1: `threshold` must be a decimal from 0.01 to 1 with at most 6 "
                  "decimals, not a section",
                  "config.yaml:2: `against` must be kept or all, not a list",
                  "config.yaml:3: `sketch` is a section; set the keys in it",
                  "config.yaml:4: `filter.one_bit` must be true or false; it has no value",
                  "config.yaml:5: `verify` is a section; set the keys in it"));
}

TEST(Yaml, AnUnknownSectionIsReportedOnce) {
  EXPECT_THAT(load_yaml("shingles: {unit: word, size: 5}\nthreshold: 2\n").problems,
              ElementsAre("config.yaml:1: unknown section `shingles`, did you mean `shingle`?",
                          StartsWith("config.yaml:2: `threshold` must be")));
}

TEST(Yaml, SyntaxErrorsHaveTheirLineAndKeepWhatWasFoundBefore) {
  EXPECT_THAT(load_yaml("treshold: 1\nsketch: {size: 8\n").problems,
              ElementsAre(StartsWith("config.yaml:1: unknown key `treshold`"),
                          StartsWith("config.yaml:2: not valid YAML: ")));
  EXPECT_THAT(load_yaml("sketch:\n\tsize: 8\n").problems,
              ::testing::Contains(StartsWith("config.yaml:2: not valid YAML: ")));
  EXPECT_THAT(load_yaml("threshold: \"\\q\"\n").problems,
              ElementsAre(HasSubstr("not valid YAML: ")));
}

TEST(Yaml, AQuoteThatIsNeverClosedDoesNotSwallowTheRestInSilence) {
  for (const char* yaml : {"storage: {path: \"/x\n", "storage:\n  path: '/x\nthreshold: 0.7\n",
                           "storage:\n  path: \"/x\nthreshold: 0.7\n\n# end\n \t\n"}) {
    EXPECT_THAT(load_yaml(yaml).problems, ElementsAre(HasSubstr("not valid YAML: illegal EOF")))
        << yaml;
  }
}

TEST(Yaml, AliasesAnchorsTagsAndFurtherDocumentsAreRefused) {
  EXPECT_THAT(load_yaml("threshold: &t 0.8\n").problems, ElementsAre(HasSubstr("anchors (&)")));
  EXPECT_THAT(load_yaml("against: &a kept\nthreshold: *a\n").problems,
              ElementsAre(HasSubstr("config.yaml:1: anchors (&)")));
  EXPECT_THAT(load_yaml("storage: {path: !env HOME}\n").problems,
              ElementsAre(HasSubstr("tags (!)")));
  EXPECT_THAT(load_yaml("threshold: 0.8\n---\nthreshold: 0.9\n").problems,
              ElementsAre(HasSubstr("config.yaml:2: a second YAML document")));
}

TEST(Yaml, WhatIsNoMapOfPlainKeysIsRefused) {
  EXPECT_THAT(load_yaml("- a\n- b\n").problems, ElementsAre(HasSubstr("not a list")));
  EXPECT_THAT(load_yaml("just words\n").problems, ElementsAre(HasSubstr("expected keys")));
  EXPECT_THAT(load_yaml("[a]: b\n").problems, ElementsAre(HasSubstr("a plain word")));
  EXPECT_THAT(load_yaml("{a: b}: c\n").problems, ElementsAre(HasSubstr("a plain word")));
  EXPECT_THAT(load_yaml("~: c\n").problems, ElementsAre(HasSubstr("a plain word")));
  EXPECT_THAT(load_yaml("? " + std::string(200, 'k') + "\n: v\n").problems,
              ElementsAre(HasSubstr("a key is too long")));
}

TEST(Yaml, ListsAreSkippedWhateverTheyHold) {
  EXPECT_THAT(load_yaml("against: [a, {b: c, d: [e]}, [f, {g: }]]\ntreshold: 1\n").problems,
              ElementsAre(StartsWith("config.yaml:1: `against` must be"),
                          StartsWith("config.yaml:2: unknown key `treshold`")));
}

TEST(Yaml, ItemsOfAListHaveTheirLines) {
  const YamlEntries read =
      read_yaml("a:\n  - x\n  - ~\n  - [p, [q]]\n  - {k: v}\n  - \"y z\"\nb: []\n");
  ASSERT_EQ(read.problem, "");
  ASSERT_THAT(read.entries, SizeIs(2));
  std::vector<std::pair<std::optional<std::string>, int>> items;
  for (const YamlItem& item : read.entries[0].items) items.emplace_back(item.text, item.line);
  EXPECT_THAT(items, ElementsAre(Pair(Optional(std::string("x")), 2), Pair(std::nullopt, 3),
                                 Pair(std::nullopt, 4), Pair(std::nullopt, 5),
                                 Pair(Optional(std::string("y z")), 6)));
  EXPECT_THAT(read.entries[1].items, SizeIs(0));
}

TEST(Yaml, ManyItemsEndTheReading) {
  const YamlEntries read = read_yaml("a: [" + repeated("x, ", 20'000) + "x]\n");
  EXPECT_EQ(read.problem, "too many keys");
  EXPECT_THAT(read.entries.at(0).items, SizeIs(9'999));
}

TEST(Yaml, DeepNestingIsAProblemInEveryForm) {
  std::string indented;
  for (int i = 0; i < 700; ++i) indented += std::string(i, ' ') + "a:\n";
  for (const std::string& yaml :
       {indented, repeated("{a: ", 250'000), "against: " + repeated("[", 1'000'000),
        "against: " + repeated("[\n", 500'000), repeated("[", 1'000'000),
        "against:\n" + repeated("- ", 500'000)}) {
    const LoadResult result = load_yaml(yaml);
    EXPECT_FALSE(result.problems.empty()) << yaml.substr(0, 20);
    EXPECT_LE(result.problems.size(), 3u);
  }
  EXPECT_EQ(read_yaml("a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}").problem, "nested too deep");
}

TEST(Yaml, FilesAboveOneMebibyteAreRefusedAndSmallerOnesRead) {
  const std::string comment(kMostYamlBytes - 1, '#');
  EXPECT_THAT(load_yaml(comment + "\n").problems, SizeIs(0));
  EXPECT_THAT(load_yaml(comment + "\n\n").problems, ElementsAre("config.yaml: larger than 1 MiB"));
}

TEST(Yaml, ProblemsBeyondAHundredAreCounted) {
  std::string yaml;
  for (int i = 0; i < 250; ++i) yaml += "unknown" + std::to_string(i) + ": 1\n";
  const LoadResult result = load_yaml(yaml);
  ASSERT_THAT(result.problems, SizeIs(101));
  EXPECT_EQ(result.problems.back(), "150 more problems are not shown");
}

TEST(Yaml, ManyKeysEndTheReading) {
  std::string yaml;
  for (int i = 0; i < 20'000; ++i) yaml += "k" + std::to_string(i) + ": 1\n";
  const YamlEntries read = read_yaml(yaml);
  EXPECT_EQ(read.problem, "too many keys");
  EXPECT_EQ(read.problem_line, 10'001);
  EXPECT_THAT(read.entries, SizeIs(10'000));
}

TEST(Yaml, ControlCharactersAreNotPrinted) {
  for (const std::string& yaml :
       {std::string("threshold: \"\\e[31m\"\n"), std::string("\"a\\0b\": 1\n"),
        std::string("threshold: \"\\\x01\"\n"), std::string(1000, '\0')}) {
    for (const std::string& problem : load_yaml(yaml).problems) {
      for (const char c : problem) EXPECT_FALSE(c >= 0 && c < ' ') << problem;
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
