// compact --purge: nothing on the state's disk tells of what was deleted.
#include <gmock/gmock.h>

#include "pipeline/state_keys.h"
#include "service/commands/commands.h"
#include "storage/store.h"
#include "storage/stores.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kDeleted = "id-of-somebody-77341";
constexpr const char* kOther = "id-of-another-12559";
constexpr const char* kText = "the quick confession 9981 of somebody";

class Purge : public ::testing::Test {
 protected:
  Purge() {
    WriteSet writes;
    for (const Seq seq : {1, 2}) {
      DocumentRow row;
      row.seq = seq;
      row.id = seq == 1 ? kDeleted : kOther;
      row.sketch.assign(32, seq);
      writes.documents.push_back({row, seq == 1 ? kText : "another", {}});
      writes.ids.push_back({{"", row.id}, {.seq = seq}});
    }
    writes.meta = {{std::string(kMetaNextSeq), "3"}};
    StorageOptions options;
    options.path = state_;
    options.keep_texts = KeepTexts::kKept;
    open_store(options, OpenMode::kReadWrite)->commit(writes);
  }

  testing::Outcome run(int (*command)(const CommandLine&), std::vector<std::string> words) {
    words.insert(words.begin() + 1, {"--state", state_});
    return testing::run_command(command, std::move(words));
  }

  bool on_disk(std::string_view bytes) {
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(state_)) {
      if (file.is_regular_file() &&
          scratch_.read("state" + file.path().string().substr(state_.size())).find(bytes) !=
              std::string::npos) {
        return true;
      }
    }
    return false;
  }

  ScratchDirectory scratch_;
  std::string state_ = scratch_.file("state");
};

TEST_F(Purge, NothingOnDiskTellsOfWhatWasDeleted) {
  EXPECT_TRUE(on_disk(kDeleted));
  EXPECT_THAT(run(run_delete, {"delete", kDeleted}).out, HasSubstr("compact --purge --state"));
  EXPECT_TRUE(on_disk(kDeleted));
  const auto outcome = run(run_compact, {"compact", "--purge"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 entries of the log of deletes are forgotten\n"));
  EXPECT_FALSE(on_disk(kDeleted));
  EXPECT_FALSE(on_disk("confession"));
  EXPECT_TRUE(on_disk(kOther));
}

TEST_F(Purge, WithoutItTheLogRemembers) {
  run(run_delete, {"delete", kDeleted});
  EXPECT_EQ(run(run_compact, {"compact"}).status, 0);
  EXPECT_THAT(scratch_.read("state/deletes"), HasSubstr(kDeleted));
}

TEST_F(Purge, ACheckpointOfAKilledBackupGoesToo) {
  StorageOptions options;
  options.path = state_;
  open_store(options, OpenMode::kReadWrite)->checkpoint(state_ + "/backup");
  run(run_compact, {"compact"});
  EXPECT_FALSE(fs::exists(state_ + "/backup"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
