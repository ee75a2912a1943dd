#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/commands/commands.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

testing::Outcome tune(std::vector<std::string> words) {
  words.insert(words.begin(), "tune");
  return testing::run_command(run_tune, std::move(words));
}

TEST(Tune, ShowsTheSolvedChoice) {
  const auto outcome = tune({});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(
      outcome.out,
      HasSubstr("bands × rows   16 × 6   solved for lsh.recall 0.99; 96 of 256 values used\n"));
  EXPECT_THAT(outcome.out, HasSubstr("recall         0.9925   of pairs exactly at the threshold"));
  EXPECT_THAT(outcome.out, HasSubstr("205 of 256 values equal   (verify.mode: sketch)"));
  EXPECT_THAT(outcome.out, HasSubstr("> 0.80  0.99253  0.53738  0.53632  ██"));
  EXPECT_THAT(outcome.out, HasSubstr(">    6     16      96  0.9925"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("framework")));
}

TEST(Tune, ShowsTheChoiceAsGiven) {
  const auto outcome =
      tune({"--set", "lsh.bands=20", "--set", "lsh.rows=5", "--set", "verify.mode=exact"});
  EXPECT_THAT(outcome.out, HasSubstr("bands × rows   20 × 5   as given; 100 of 256 values used"));
  EXPECT_THAT(outcome.out, HasSubstr("180 of 256 values equal, then the exact similarity"));
  EXPECT_THAT(outcome.out, HasSubstr("text "));  // exact verification keeps texts
}

TEST(Tune, ThresholdAndRecallAreTakenFromTheCommandLine) {
  const auto outcome = tune({"--threshold", "0.9", "--recall", "0.95"});
  EXPECT_THAT(outcome.out, HasSubstr("threshold      0.9\n"));
  EXPECT_THAT(outcome.out, HasSubstr("solved for lsh.recall 0.95"));
  EXPECT_EQ(tune({"--threshold", "1.5"}).status, 78);
}

TEST(Tune, SaysWhenTheRowsAreFewForSoManyDocuments) {
  EXPECT_THAT(tune({"--documents", "100000000000000"}).out,
              HasSubstr("set storage.expected_documents"));
  EXPECT_THAT(tune({"--documents", "1000"}).out, Not(HasSubstr("set storage.expected_documents")));
}

TEST(Tune, ShowsTheFrameworkBesideOurs) {
  const auto outcome = tune({"--j1", "0.8", "--j2", "0.1", "--documents", "1000"});
  EXPECT_THAT(outcome.out, HasSubstr("= 0.0969\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("\n  framework  +3  +2  +6"));
  EXPECT_THAT(outcome.out, ContainsRegex("\n  lowered k, 8 sketches of 8 bits  +3  +2"));
  EXPECT_THAT(outcome.out, ContainsRegex("\n  ours  +6  +16  +96"));
  EXPECT_THAT(outcome.out, HasSubstr("as we read"));
}

TEST(Tune, RefusesFrameworkValuesThatMakeNoSense) {
  for (const auto& words : std::vector<std::vector<std::string>>{{"--j1", "0.8"},
                                                                 {"--j2", "0.1"},
                                                                 {"--j1", "0.1", "--j2", "0.8"},
                                                                 {"--j1", "0.5", "--j2", "0.5"},
                                                                 {"--j1", "1", "--j2", "0.5"},
                                                                 {"--j1", "0.5", "--j2", "0"},
                                                                 {"--documents", "1"},
                                                                 {"--documents", "many"}}) {
    EXPECT_EQ(tune(words).status, 64) << words[0] << " " << words[1];
  }
}

TEST(Tune, JsonIsOneObjectALine) {
  const ScratchDirectory scratch;
  const std::string rows = scratch.write(
      "rows", tune({"--json", "--j1", "0.8", "--j2", "0.1", "--documents", "1000"}).out);
  const auto outcome = testing::run_program(
      "python3 -c \"import json, collections\n"
      "rows = [json.loads(line) for line in open('" +
      rows +
      "')]\n"
      "print(dict(collections.Counter(row['row'] for row in rows)))\n"
      "print([row['flagged'] for row in rows if row['row'] == 'curve' and row['jaccard'] == "
      "0.8])\"");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_THAT(
      outcome.out,
      HasSubstr("{'choice': 1, 'curve': 101, 'unrelated': 1, 'candidates': 4, 'bytes': 6, "));
  EXPECT_THAT(outcome.out, HasSubstr("'framework': 4}"));
  EXPECT_THAT(outcome.out, HasSubstr("[0.53632"));
}

TEST(Tune, PlotsTheCurve) {
  const ScratchDirectory scratch;
  EXPECT_EQ(tune({"--plot", scratch.file("curve.svg")}).status, 0);
  EXPECT_THAT(scratch.read("curve.svg"), HasSubstr("threshold 0.8"));
  EXPECT_THAT(scratch.read("curve.svg"), HasSubstr("</svg>\n"));
}

TEST(Tune, APlotThatCannotBeWrittenIsAnError) {
  const auto outcome = tune({"--plot", "/nowhere/curve.svg"});
  EXPECT_EQ(outcome.status, 74);
  EXPECT_THAT(outcome.err, HasSubstr("/nowhere/curve.svg"));
}

TEST(Size, CountsEveryPartOfSoManyDocuments) {
  const auto outcome = testing::run_command(run_size, {"size", "--documents", "1000000"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("1000000 kept documents\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("sketches +264.4 MB +264 bytes each"));
  EXPECT_THAT(outcome.out, HasSubstr("they fit into it"));
  EXPECT_THAT(outcome.out, ContainsRegex("about [1-9][0-9]+00 documents a CPU second"));
  EXPECT_THAT(outcome.out, HasSubstr("Assumed: ids of 32 bytes"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("  texts ")));
  const auto texts = testing::run_command(
      run_size, {"size", "--documents", "1000000000", "--set", "storage.keep_texts=true"});
  EXPECT_THAT(texts.out, HasSubstr("  texts "));
  EXPECT_THAT(texts.out, HasSubstr("4710 bytes, 4096 when normalised, of which zstd stores 2089"));
  EXPECT_THAT(texts.out, HasSubstr("they do not fit into it"));
  EXPECT_THAT(texts.out,
              ContainsRegex("filters get 4.0 of 20 bits a posting, the oldest [0-9]+ %"));
  EXPECT_EQ(testing::run_command(run_size, {"size", "--documents", "0"}).status, 64);
}

TEST(Size, JsonAddsUp) {
  const ScratchDirectory scratch;
  const std::string file = scratch.write(
      "size", testing::run_command(run_size, {"size", "--documents", "1000", "--json"}).out);
  const auto outcome = testing::run_program(
      "python3 -c \"import json\n"
      "disk = json.load(open('" +
      file +
      "'))['disk_bytes']\n"
      "print(disk['texts'], abs(disk.pop('all') - sum(disk.values())) < 10)\"");
  EXPECT_EQ(outcome.out, "0 True\n");
}

}  // namespace
}  // namespace neardup::TEST_FILE
