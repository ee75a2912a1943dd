// The command lines of backup and restore, as far as they need no service.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/commands/commands.h"
#include "storage/store.h"
#include "storage/stores.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class BackupCommands : public ::testing::Test {
 protected:
  testing::Outcome backup(std::vector<std::string> words) {
    words.insert(words.begin(), "backup");
    return testing::run_command(run_backup, std::move(words));
  }
  testing::Outcome restore(std::vector<std::string> words) {
    words.insert(words.begin(), "restore");
    return testing::run_command(run_restore, std::move(words));
  }

  void make_state() {
    StorageOptions options;
    options.path = state_;
    open_store(options, OpenMode::kReadWrite);
  }

  ScratchDirectory scratch_;
  std::string state_ = scratch_.file("state");
  std::string token_ = scratch_.write("token", "0123456789abcdef\n");
};

TEST_F(BackupCommands, AreOfADirectoryOrOfAServiceNotOfBoth) {
  const std::string url = "http://127.0.0.1:1";
  const auto no_path = backup({"--state", state_});
  EXPECT_EQ(no_path.status, 64);
  EXPECT_THAT(no_path.err, HasSubstr("PATH is needed"));
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--state", state_}, {scratch_.file("copy")}}) {
    std::vector<std::string> words{"--service", url, "--token-file", token_};
    words.insert(words.end(), more.begin(), more.end());
    const auto both = backup(words);
    EXPECT_EQ(both.status, 64);
    EXPECT_THAT(both.err, HasSubstr("leave --state and PATH out"));
  }
}

TEST_F(BackupCommands, OfAServiceNeedAToken) {
  const std::string url = "http://127.0.0.1:1";
  EXPECT_EQ(backup({"--service", url}).status, 64);
  const auto missing = backup({"--service", url, "--token-file", scratch_.file("none")});
  EXPECT_EQ(missing.status, 78);
  EXPECT_THAT(missing.err, HasSubstr("none: it cannot be read: No such file"));
  const std::string empty = scratch_.write("empty", "\n");
  EXPECT_THAT(backup({"--service", url, "--token-file", empty}).err,
              HasSubstr("empty: it is empty"));
}

TEST_F(BackupCommands, OfAServiceThatIsNotThereFailAtOnce) {
  const auto outcome = backup({"--service", "http://127.0.0.1:1", "--token-file", token_});
  EXPECT_EQ(outcome.status, 75);
  EXPECT_THAT(outcome.err, HasSubstr("http://127.0.0.1:1 does not answer"));
}

TEST_F(BackupCommands, ARestoreIfMissingLeavesAStateAlone) {
  make_state();
  const auto outcome = restore({"--if-missing", "--state", state_, scratch_.file("no backups")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, state_ + ": a state exists, nothing is restored\n");
  EXPECT_EQ(restore({"--state", state_, scratch_.file("no backups")}).status, 65);
}

TEST_F(BackupCommands, ARestoreTakesTheLatestOfADirectory) {
  make_state();
  const std::string backups = scratch_.file("backups");
  const std::string uuid = "4f0c0000-0000-4000-8000-000000000001";
  for (const char* time : {"-20231114T221320.000Z", "-20231114T221321.000Z"}) {
    ASSERT_EQ(backup({"--state", state_, backups + "/" + uuid + time}).status, 0);
  }
  const auto outcome = restore({"--if-missing", "--state", scratch_.file("new"), backups});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(", from " + backups + "/" + uuid + "-20231114T221321.000Z\n"));
  EXPECT_THAT(restore({"--if-missing", "--state", scratch_.file("new"), backups}).out,
              StartsWith(scratch_.file("new") + ": a state exists"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
