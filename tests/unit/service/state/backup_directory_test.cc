// Several backups side by side: which are whole, which is the latest, which may go.
#include "service/state/backup_directory.h"

#include <gmock/gmock.h>

#include "pipeline/base/failure.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kHour = 3'600'000;
constexpr std::int64_t kBegin = 1'700'000'000'000;
const std::string kState = "4f0c0000-0000-4000-8000-000000000001";
const std::string kOther = "4f0c0000-0000-4000-8000-000000000002";

class BackupDirectory : public testing::Test {
 protected:
  // Made so many hours after the first could have been.
  std::string put(const std::string& uuid, int hour, bool whole = true) {
    std::string name = backup_name(uuid, kBegin + hour * kHour);
    fs::create_directory(scratch_.file(name));
    scratch_.write(name + "/000001.sst", "rows");
    if (!whole) return name;
    BackupManifest manifest;
    manifest.uuid = uuid;
    manifest.made_ms = kBegin + hour * kHour;
    manifest.files = {{"000001.sst", 4, std::string(32, '0')}};
    scratch_.write(name + '/' + std::string(kManifestName), manifest_json(manifest));
    return name;
  }

  std::vector<std::string> whole(const std::string& uuid = kState) {
    return whole_backups(directory_, uuid);
  }

  std::string refusal() {
    try {
      find_backup(directory_);
    } catch (const Failure& failure) {
      return std::to_string(static_cast<int>(failure.exit())) + ": " + failure.what();
    }
    return {};
  }

  ScratchDirectory scratch_;
  std::string directory_ = scratch_.path();
};

TEST_F(BackupDirectory, NamesTellTheStateAndSortByTime) {
  EXPECT_EQ(put(kState, 0), kState + "-20231114T221320.000Z");
  const std::string third = put(kState, 3);
  const std::string second = put(kState, 2);
  put(kOther, 9);
  EXPECT_THAT(whole(), ElementsAre(kState + "-20231114T221320.000Z", second, third));
}

TEST_F(BackupDirectory, WhatWasInterruptedIsNoBackupAndGoesAlone) {
  const std::string good = put(kState, 1);
  const std::string bad = put(kState, 2, false);
  const std::string others = put(kOther, 2, false);
  fs::create_directory(scratch_.file("lost+found"));
  EXPECT_THAT(whole(), ElementsAre(good));
  EXPECT_EQ(latest_backup_ms(directory_, kState), kBegin + kHour);
  remove_unfinished_backups(directory_, kState);
  EXPECT_FALSE(fs::exists(scratch_.file(bad)));
  EXPECT_TRUE(fs::exists(scratch_.file(good)));
  EXPECT_TRUE(fs::exists(scratch_.file(others)));
  EXPECT_TRUE(fs::exists(scratch_.file("lost+found")));
}

TEST_F(BackupDirectory, OnlyOldOnesOfTheSameStateAreRemoved) {
  std::vector<std::string> names;
  for (int hour = 0; hour < 5; ++hour) names.push_back(put(kState, hour));
  const std::string other = put(kOther, 0);
  EXPECT_EQ(remove_old_backups(directory_, kState, 2), 3);
  EXPECT_THAT(whole(), ElementsAre(names[3], names[4]));
  EXPECT_THAT(whole(kOther), ElementsAre(other));
  EXPECT_EQ(remove_old_backups(directory_, kState, 2), 0);
}

TEST_F(BackupDirectory, ADamagedManifestDoesNotCountAsTheLatest) {
  put(kState, 1);
  scratch_.write(put(kState, 2) + '/' + std::string(kManifestName), "{");
  EXPECT_EQ(latest_backup_ms(directory_, kState), kBegin + kHour);
  EXPECT_EQ(latest_backup_ms(directory_ + "/missing", kState), std::nullopt);
}

TEST_F(BackupDirectory, TheLatestIsFoundForARestore) {
  EXPECT_EQ(find_backup(directory_), directory_) << "none: the restore says what is missing";
  put(kState, 1);
  const std::string latest = put(kState, 2);
  put(kState, 3, false);
  EXPECT_EQ(find_backup(directory_), directory_ + '/' + latest);
  EXPECT_EQ(find_backup(directory_ + '/' + latest), directory_ + '/' + latest);
  put(kOther, 1);
  EXPECT_THAT(refusal(), testing::StartsWith("64: " + directory_ + " holds backups of 2 states"));
}

TEST_F(BackupDirectory, OnlyInterruptedOnesAreNothingToRestore) {
  put(kState, 1, false);
  EXPECT_THAT(refusal(), HasSubstr("65: "));
  EXPECT_THAT(refusal(), HasSubstr("no complete backup"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
