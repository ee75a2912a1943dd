#include "pipeline/retention/migrate.h"

#include <gmock/gmock.h>

#include "pipeline/base/failure.h"
#include "pipeline/retention/retention.h"
#include "pipeline/state_keys.h"
#include "storage/memory_store.h"

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;
using testing::Not;

Rule rule_of_state() {
  Rule rule;
  rule.plan.bands = 16;
  rule.plan.rows = 6;
  return rule;
}

class MigrateTest : public testing::Test {
 protected:
  MigrateTest() {
    WriteSet writes;
    writes.meta = {{std::string(kMetaRule), rule_text(rule_)}};
    for (Seq seq = 1; seq <= 10'000; ++seq) {
      DocumentRow row;
      row.seq = seq;
      row.id = std::to_string(seq);
      row.text_bytes = 3;
      writes.ids.push_back({{"", row.id}, {.seq = seq}});
      writes.documents.push_back({row, {}, {}});
    }
    store_->commit(writes);
  }

  std::string refusal() {
    try {
      plan_migration(*store_, rule_);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kConfig);
      return failure.what();
    }
    ADD_FAILURE() << "was not refused";
    return {};
  }

  void migrate_to_rule() {
    const Migration migration = plan_migration(*store_, rule_);
    EXPECT_FALSE(migration.rebuilds());
    EXPECT_EQ(migrate(*store_, migration, [](Seq) {}), 0);
  }

  Rule rule_ = rule_of_state();
  std::unique_ptr<Store> store_ =
      open_memory_store({.store = StoreName::kMemory, .path = {}}, OpenMode::kReadWrite);
};

TEST_F(MigrateTest, a_state_of_the_older_format_is_indexed_again_under_the_same_rule) {
  EXPECT_FALSE(plan_migration(*store_, rule_).needed());
  WriteSet writes;
  writes.meta = {{"format", std::to_string(kMigratedFormats.front())}};
  store_->commit(writes);
  EXPECT_TRUE(plan_migration(*store_, rule_).needed());
  EXPECT_TRUE(plan_migration(*store_, rule_).rebuilds());
}

TEST_F(MigrateTest, TheRuleOfTheStateNeedsNone) {
  EXPECT_FALSE(plan_migration(*store_, rule_).needed());
}

TEST_F(MigrateTest, ThresholdCapAndRetentionLeaveTheIndexAlone) {
  rule_.decision.threshold = 700'000;
  rule_.bucket_cap = 3;
  rule_.retention.max_documents = 5;
  EXPECT_TRUE(plan_migration(*store_, rule_).needed());
  migrate_to_rule();
  EXPECT_EQ(store_->meta(kMetaRule), rule_text(rule_));
}

TEST_F(MigrateTest, OtherBandsOrRowsNeedANewIndex) {
  rule_.plan.bands = 15;
  EXPECT_TRUE(plan_migration(*store_, rule_).rebuilds());
  rule_.plan = rule_of_state().plan;
  rule_.plan.rows = 7;
  EXPECT_TRUE(plan_migration(*store_, rule_).rebuilds());
}

TEST_F(MigrateTest, AnythingElseIsRefusedAndNamedWithBothSides) {
  rule_.decision.threshold = 700'000;
  rule_.decision.verify = VerifyMode::kExact;
  rule_.plan.sketch.bits = 16;
  rule_.plan.sketch.seed.s0 = 7;
  rule_.text.min_tokens = 9;
  const std::string message = refusal();
  EXPECT_THAT(message, HasSubstr("\n  sketch.bits: 8 in the state, 16 now\n"));
  EXPECT_THAT(message, HasSubstr("\n  text.min_tokens: 5 in the state, 9 now\n"));
  EXPECT_THAT(message, HasSubstr("\n  verify.mode: sketch in the state, exact now\n"));
  EXPECT_THAT(message, HasSubstr("\n  sketch.seed_check: "));
  EXPECT_THAT(message, Not(HasSubstr("threshold_ppm")));
}

TEST_F(MigrateTest, AStateOfAnotherVersionOfTheRuleIsRefused) {
  WriteSet writes;
  writes.meta = {{std::string(kMetaRule), "rule_version: 0\n"}};
  store_->commit(writes);
  EXPECT_THAT(refusal(), HasSubstr("rule_version: 0 in the state"));
}

TEST_F(MigrateTest, AStateOfAnOlderTextModelIsRefusedUntilItIsTakenOver) {
  Rule old = rule_;
  old.text_model = 1;
  WriteSet writes;
  writes.meta = {{std::string(kMetaRule), rule_text(old)}};
  store_->commit(writes);
  const auto refused = [&](auto&& use) {
    try {
      use();
    } catch (const Failure& failure) {
      return failure.exit() == Exit::kConfig &&
             std::string_view(failure.what()).find("text model 1") != std::string_view::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused([&] { require_same_rule(*store_, rule_); }));
  EXPECT_TRUE(refused([&] { stored_rule(*store_); }));
  const Migration migration = plan_migration(*store_, rule_);
  EXPECT_TRUE(migration.needed());
  EXPECT_EQ(migration.from.text_model, 1U);
  migrate_to_rule();
  EXPECT_NO_THROW(require_same_rule(*store_, rule_));
  EXPECT_EQ(stored_rule(*store_).text_model, 2U);
}

TEST_F(MigrateTest, AStateWithoutARuleHasNothingToMigrate) {
  const auto empty =
      open_memory_store({.store = StoreName::kMemory, .path = {}}, OpenMode::kReadWrite);
  EXPECT_THROW(plan_migration(*empty, rule_), Failure);
}

TEST_F(MigrateTest, ALimitOfBytesBeginsWithTheBytesThatAreThere) {
  rule_.retention.max_bytes = 1'000'000;
  migrate_to_rule();
  EXPECT_EQ(store_->meta(kMetaTextBytes), "30000");
  rule_.retention.max_bytes = 0;
  migrate_to_rule();
  EXPECT_EQ(store_->meta(kMetaTextBytes), std::nullopt);
}

}  // namespace
}  // namespace neardup::TEST_FILE
