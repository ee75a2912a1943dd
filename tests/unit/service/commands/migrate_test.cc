// migrate on a small state that scan has made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/state_keys.h"
#include "service/commands/commands.h"
#include "storage/store.h"
#include "storage/stores.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Migrate : public ::testing::Test {
 protected:
  Migrate() {
    const std::string input =
        scratch_.write("input.jsonl",
                       "{\"id\":\"a\",\"text\":\"some words that nobody has said before\"}\n"
                       "{\"id\":\"b\",\"text\":\"and others of which the same is true\"}\n");
    EXPECT_EQ(run(run_scan, {"scan", "--state", path_, "-o", scratch_.file("flags"), input}).status,
              0);
  }

  static testing::Outcome run(int (*command)(const CommandLine&), std::vector<std::string> words) {
    return testing::run_command(command, std::move(words));
  }
  testing::Outcome migrate(std::vector<std::string> words) {
    words.insert(words.begin(), {"migrate", "--state", path_});
    return run(run_migrate, std::move(words));
  }
  std::string stats() { return run(run_stats, {"stats", "--state", path_}).out; }

  ScratchDirectory scratch_;
  std::string path_ = scratch_.file("state");
};

TEST_F(Migrate, SaysInOneLineWhatItDidAndStatsShowTheNewRule) {
  const auto outcome = migrate({"--set", "lsh.bands=4", "--set", "lsh.rows=12"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(path_ + ": 2 documents in "));
  EXPECT_THAT(outcome.out, HasSubstr("; 4 bands of 12 rows instead of 16 of 6; rule "));
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(stats(), HasSubstr("\n  lsh.bands: 4\n  lsh.rows: 12\n"));
}

TEST_F(Migrate, OfTheThresholdAloneLeavesGivenBandsAlone) {
  const auto outcome =
      migrate({"--set", "threshold=0.7", "--set", "lsh.bands=16", "--set", "lsh.rows=6"});
  EXPECT_THAT(outcome.out, HasSubstr("; 16 bands of 6 rows as before; rule "));
  EXPECT_THAT(stats(), HasSubstr("\n  threshold_ppm: 700000\n"));
}

TEST_F(Migrate, AsJsonIsOneObject) {
  const auto outcome = migrate({"--json", "--set", "lsh.bands=4", "--set", "lsh.rows=12"});
  EXPECT_THAT(outcome.out, HasSubstr("\"documents\":2,\"indexed\":2,\"seconds\":"));
  EXPECT_THAT(outcome.out, HasSubstr(",\"changed\":true,\"bands_before\":16,\"rows_before\":6,"
                                     "\"bands\":4,\"rows\":12,\"rule_before\":\""));
}

TEST_F(Migrate, OfAnOlderTextModelSaysWhatBecomesOfTexts) {
  {
    StorageOptions options;
    options.path = path_;
    const auto store = open_store(options, OpenMode::kReadWrite);
    Rule old = stored_rule(*store);
    old.text_model = 1;
    WriteSet writes;
    writes.meta = {{std::string(kMetaRule), rule_text(old)}};
    store->commit(writes);
  }
  const std::string input = scratch_.write("none.jsonl", "");
  const auto refused =
      run(run_scan, {"scan", "--state", path_, "-o", scratch_.file("more"), input});
  EXPECT_EQ(refused.status, 78);
  EXPECT_THAT(refused.err, HasSubstr("`neardup migrate -c CONFIG --state DIR`"));
  const auto outcome = migrate({});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\ntext model 2 instead of 1: texts in Thai, Lao"));
  EXPECT_EQ(run(run_scan, {"scan", "--state", path_, "-o", scratch_.file("more"), input}).status,
            0);
  EXPECT_THAT(migrate({"--json"}).out, HasSubstr(",\"text_model_before\":2,\"text_model\":2}"));
}

TEST_F(Migrate, ToTheSameRuleChangesNothing) {
  const auto rule = [this] { return stats().substr(stats().find("\nrule ")); };
  const std::string before = rule();
  const auto outcome = migrate({});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("already\n"));
  EXPECT_EQ(rule(), before);
}

TEST_F(Migrate, ChangesNothingElse) {
  const auto outcome = migrate({"--set", "sketch.size=128", "--set", "threshold=0.7"});
  EXPECT_EQ(outcome.status, 78);
  EXPECT_THAT(outcome.err, HasSubstr("sketch.size: 256 in the state, 128 now"));
  EXPECT_THAT(stats(), HasSubstr("threshold_ppm: 800000"));
}

TEST_F(Migrate, AStateInUseIsRefused) {
  StorageOptions options;
  options.path = path_;
  const auto writer = open_store(options, OpenMode::kReadWrite);
  EXPECT_EQ(migrate({"--set", "threshold=0.7"}).status, 75);
}

TEST_F(Migrate, NeedsAState) {
  EXPECT_EQ(run(run_migrate, {"migrate"}).status, 64);
  EXPECT_EQ(run(run_migrate, {"migrate", "--state", scratch_.file("none")}).status, 75);
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("none")));
}

}  // namespace
}  // namespace neardup::TEST_FILE
