// Backup and restore of a small state on disk.
#include "service/state/backup.h"

#include <gmock/gmock.h>

#include "pipeline/base/failure.h"
#include "pipeline/state_keys.h"
#include "service/kafka/store/state_head.h"
#include "service/state/delete_documents.h"
#include "storage/stores.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

constexpr auto kNoProgress = [](std::uint64_t) {};

class Backup : public testing::Test {
 protected:
  Backup() { put(1, 5); }

  std::unique_ptr<Store> open(const std::string& path, OpenMode mode = OpenMode::kReadWrite) {
    StorageOptions options;
    options.path = path;
    options.memory = std::uint64_t{16} << 20;
    return open_store(options, mode);
  }

  // Documents d<seq> for seqs from `first` to `last`.
  void put(Seq first, Seq last, bool in_kafka = false) {
    WriteSet writes;
    for (Seq seq = first; seq <= last; ++seq) {
      DocumentRow row;
      row.seq = seq;
      row.id = "d" + std::to_string(seq);
      row.sketch.assign(32, seq);
      writes.documents.push_back({row, {}, {}});
      writes.ids.push_back({{"", row.id}, {.seq = seq}});
    }
    writes.meta = {{std::string(kMetaNextSeq), std::to_string(last + 1)}};
    if (in_kafka) writes.meta.emplace_back(kMetaMark, "neardup/1 u 3 c 6");
    open(state_)->commit(writes);
  }

  void erase(const std::string& id) {
    const auto store = open(state_);
    OwnState access(*store);
    ASSERT_EQ(delete_documents(state_, "", {id}, 1, access).deleted, 1);
  }

  BackupManifest backup() {
    const BackupLock lock(state_);
    make_checkpoint(state_, *open(state_));
    return copy_checkpoint(state_, backup_, 1'700'000'000'000, kNoProgress);
  }

  RestoreReport restore(bool with_log = false) {
    std::optional<std::string> log;
    if (with_log) log = state_ + "/deletes";
    return restore_backup(restored_, backup_, log, kNoProgress);
  }

  // "65: what it says", or "".
  std::string refusal(bool with_log = false) {
    try {
      restore(with_log);
    } catch (const Failure& failure) {
      return std::to_string(static_cast<int>(failure.exit())) + ": " + failure.what();
    }
    return {};
  }

  bool holds(const std::string& id) {
    const IdKey key{"", id};
    std::vector<std::optional<IdRow>> rows;
    open(restored_)->ids({&key, 1}, rows);
    return rows.front().has_value();
  }

  ScratchDirectory scratch_;
  std::string state_ = scratch_.file("state");
  std::string backup_ = scratch_.file("backup");
  std::string restored_ = scratch_.file("restored");
};

TEST_F(Backup, ARestoredOneIsTheStateAsItWas) {
  const BackupManifest made = backup();
  put(6, 9);
  EXPECT_EQ(made.documents, 5);
  EXPECT_EQ(made.next_seq, 6);
  EXPECT_EQ(made.uuid, open(state_)->meta("uuid"));
  const BackupManifest read = read_manifest(backup_);
  EXPECT_EQ(read.files, made.files);
  EXPECT_EQ(read.uuid, made.uuid);
  restore();
  EXPECT_TRUE(holds("d5"));
  EXPECT_FALSE(holds("d6"));
  EXPECT_EQ(open(restored_)->meta("uuid"), made.uuid);
  EXPECT_FALSE(fs::exists(restored_ + "/restoring"));
  EXPECT_FALSE(fs::exists(state_ + "/backup"));
}

TEST_F(Backup, ItSharesNothingWithTheState) {
  backup();
  for (const fs::directory_entry& file : fs::directory_iterator(backup_)) {
    EXPECT_EQ(file.hard_link_count(), 1) << file.path();
  }
  fs::remove_all(state_);
  restore();
  EXPECT_TRUE(holds("d1"));
}

TEST_F(Backup, AnyByteThatIsDamagedOrMissingIsFoundAndNothingIsRestored) {
  for (const CopiedFile& file : backup().files) {
    const std::string path = "backup/" + file.name;
    const std::string whole = scratch_.read(path);
    std::vector<std::string> wrong{whole + "x"};
    if (!whole.empty()) {
      wrong.push_back(whole.substr(1));
      wrong.push_back(whole);
      wrong.back()[whole.size() / 2] ^= 1;
    }
    for (const std::string& bytes : wrong) {
      scratch_.write(path, bytes);
      EXPECT_THAT(refusal(), testing::StartsWith("65: " + backup_ + "/" + file.name));
    }
    fs::remove(scratch_.file(path));
    EXPECT_THAT(refusal(), testing::StartsWith("65: " + backup_ + "/" + file.name));
    scratch_.write(path, whole);
  }
  EXPECT_TRUE(fs::is_empty(restored_));
  EXPECT_EQ(refusal(), "");
}

TEST_F(Backup, WithoutAManifestOrWithACutOneItIsNone) {
  backup();
  const std::string whole = scratch_.read("backup/neardup-backup.json");
  for (const std::string& bytes :
       {std::string(), whole.substr(0, whole.size() / 2), std::string("{}"), std::string("[]")}) {
    scratch_.write("backup/neardup-backup.json", bytes);
    EXPECT_THAT(refusal(), HasSubstr("is not a complete backup"));
  }
  fs::remove(backup_ + "/neardup-backup.json");
  EXPECT_THAT(refusal(), HasSubstr("65: " + backup_ + " is not a complete backup"));
  EXPECT_FALSE(fs::exists(restored_));
}

TEST_F(Backup, WhatNoProgramWritesIntoAManifestIsRefused) {
  const std::vector<CopiedFile> files = backup().files;
  const std::string whole = scratch_.read("backup/neardup-backup.json");
  const auto refused_with = [&](std::string_view part, std::string_view other) {
    std::string manifest = whole;
    manifest.replace(manifest.find(part), part.size(), other);
    scratch_.write("backup/neardup-backup.json", manifest);
    return refusal();
  };
  for (const char* name : {"../../x", "x/y", "", ".x", "CURRENT\\u0000", "x\\n"})
    EXPECT_THAT(refused_with("CURRENT", name), HasSubstr("its manifest is damaged")) << name;
  ASSERT_NE(files.front().name, files.back().name);
  EXPECT_THAT(refused_with(files.front().name, files.back().name), HasSubstr("is damaged"));
  EXPECT_THAT(refused_with("\"made_ms\":", "\"made_ms\":9000"), HasSubstr("is damaged"));
  EXPECT_THAT(refused_with("\"made_ms\":", "\"made_ms\":-"), HasSubstr("is damaged"));
  EXPECT_THAT(refused_with("\"next_seq\":6", "\"next_seq\":0"), HasSubstr("is damaged"));
  EXPECT_THAT(refused_with("\"xxh3_128\":\"", "\"xxh3_128\":\"x"), HasSubstr("is damaged"));
}

TEST_F(Backup, AManifestOfAnotherStateIsRefused) {
  backup();
  std::string manifest = scratch_.read("backup/neardup-backup.json");
  manifest.replace(manifest.find("\"next_seq\":6"), 12, "\"next_seq\":7");
  scratch_.write("backup/neardup-backup.json", manifest);
  EXPECT_THAT(refusal(), HasSubstr("65: the backup's manifest is not of its state"));
  EXPECT_TRUE(fs::is_empty(restored_));
}

TEST_F(Backup, AStateOfAnotherFormatIsRefused) {
  backup();
  std::string manifest = scratch_.read("backup/neardup-backup.json");
  const std::string said = "\"state_format\":";
  manifest.insert(manifest.find(said) + said.size(), "9");
  scratch_.write("backup/neardup-backup.json", manifest);
  EXPECT_THAT(refusal(), testing::StartsWith("78: backup "));
}

TEST_F(Backup, OnlyANewOrEmptyPlaceIsTaken) {
  fs::create_directory(backup_);
  require_place_for_backup(state_, backup_);
  scratch_.write("backup/x", "");
  EXPECT_THROW(require_place_for_backup(state_, backup_), Failure);
  EXPECT_THROW(require_place_for_backup(state_, state_), Failure);
  EXPECT_THROW(require_place_for_backup(state_, scratch_.write("file", "")), Failure);
  fs::remove_all(backup_);
  backup();
  fs::create_directory(restored_);
  scratch_.write("restored/mine", "");
  EXPECT_THAT(refusal(), HasSubstr("is not empty, it holds mine"));
  EXPECT_EQ(scratch_.read("restored/mine"), "");
  EXPECT_TRUE(fs::exists(restored_ + "/mine"));
}

TEST_F(Backup, OneThatFailsLeavesNothing) {
  const BackupLock lock(state_);
  make_checkpoint(state_, *open(state_));
  const auto stop = [](std::uint64_t) { throw Failure(Exit::kIo, "disk full"); };
  EXPECT_THROW(copy_checkpoint(state_, backup_, 0, stop), Failure);
  EXPECT_FALSE(fs::exists(backup_));
  fs::create_directory(backup_);
  EXPECT_THROW(copy_checkpoint(state_, backup_, 0, stop), Failure);
  EXPECT_TRUE(fs::is_empty(backup_));
}

TEST_F(Backup, ACheckpointThatWasLeftBehindIsInNobodysWay) {
  make_checkpoint(state_, *open(state_));
  fs::create_directories(state_ + "/backup.tmp");
  EXPECT_EQ(backup().documents, 5);
  EXPECT_FALSE(fs::exists(state_ + "/backup.tmp"));
  make_checkpoint(state_, *open(state_));
  remove_old_checkpoint(state_);
  EXPECT_FALSE(fs::exists(state_ + "/backup"));
}

TEST_F(Backup, ThereIsOneAtATime) {
  const BackupLock lock(state_);
  make_checkpoint(state_, *open(state_));
  EXPECT_THROW(BackupLock another(state_), Failure);
  try {
    make_checkpoint(state_, *open(state_));
    FAIL() << "the checkpoint of another backup is overwritten";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kUnavailable);
  }
  remove_old_checkpoint(state_);
  EXPECT_TRUE(fs::exists(state_ + "/backup"));
}

TEST_F(Backup, ARestoreThatWasKilledIsNoStateAndIsBegunAgain) {
  backup();
  restore();
  // As if killed while files were moved: CURRENT has not come.
  fs::create_directory(restored_ + "/restoring");
  fs::rename(restored_ + "/CURRENT", restored_ + "/restoring/CURRENT");
  try {
    open(restored_);
    ADD_FAILURE() << "it opens";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kConfig);
    EXPECT_THAT(failure.what(), HasSubstr("holds an interrupted restore"));
  }
  EXPECT_EQ(refusal(), "");
  EXPECT_TRUE(holds("d1"));
  // As if killed before the first file was there.
  fs::remove_all(restored_);
  fs::create_directories(restored_ + "/restoring");
  EXPECT_THROW(open(restored_), Failure);
  EXPECT_EQ(refusal(), "");
}

TEST_F(Backup, ARestoreThatWasKilledAtItsEndIsWhole) {
  erase("d1");
  backup();
  erase("d2");
  EXPECT_FALSE(restore(true).was_whole);
  fs::create_directory(restored_ + "/restoring");  // the last that goes
  EXPECT_TRUE(restore(true).was_whole);
  EXPECT_FALSE(fs::exists(restored_ + "/restoring"));
  EXPECT_TRUE(restore(true).was_whole);
  EXPECT_FALSE(holds("d2"));
  EXPECT_TRUE(holds("d3"));
}

TEST_F(Backup, AStateThatThisRestoreDoesNotMakeIsLeftAlone) {
  backup();
  erase("d2");
  restore();
  EXPECT_THAT(refusal(true), HasSubstr("is not empty"));  // its deletes would be missing
  EXPECT_TRUE(holds("d2"));
  put(6, 6);
  fs::remove_all(backup_);
  backup();
  EXPECT_THAT(refusal(), HasSubstr("is not empty"));  // one that is older
  EXPECT_FALSE(holds("d6"));
}

TEST_F(Backup, DeletesThatCameAfterItAreDoneAgain) {
  erase("d1");
  backup();
  erase("d2");
  put(6, 9);
  erase("d3");
  erase("d7");
  const RestoreReport report = restore(true);
  EXPECT_EQ(report.deletes_done, 2);
  EXPECT_EQ(report.deletes_due, 1);
  EXPECT_EQ(report.due_before, 10);
  EXPECT_FALSE(holds("d1"));
  EXPECT_FALSE(holds("d2"));
  EXPECT_FALSE(holds("d3"));
  EXPECT_TRUE(holds("d4"));
  EXPECT_EQ(scratch_.read("restored/deletes"), scratch_.read("state/deletes"));
}

TEST_F(Backup, WithoutTheLogTheyAreNot) {
  backup();
  erase("d2");
  EXPECT_EQ(restore().deletes_done, 0);
  EXPECT_TRUE(holds("d2"));
}

TEST_F(Backup, InAStateOfAServiceTheyWaitForTheirPlace) {
  put(6, 6, true);
  backup();
  erase("d2");
  put(7, 9, true);
  erase("d3");
  const RestoreReport report = restore(true);
  EXPECT_EQ(report.deletes_done, 1);
  EXPECT_EQ(report.deletes_due, 1);
  EXPECT_FALSE(holds("d2"));
  EXPECT_TRUE(holds("d3"));
}

TEST_F(Backup, DeletesThatTheLogHasForgottenAreTold) {
  backup();
  erase("d2");
  erase("d3");
  erase("d4");
  const std::string log = scratch_.read("state/deletes");
  const std::size_t second = log.find("{\"number\":2"), third = log.find("{\"number\":3");
  scratch_.write("state/deletes", log.substr(0, second) + log.substr(third));
  const RestoreReport report = restore(true);
  EXPECT_EQ(report.deletes_done, 2);
  EXPECT_EQ(report.deletes_forgotten, 1);
}

TEST_F(Backup, ALogOfAnotherStateIsRefused) {
  backup();
  scratch_.write("state/deletes", "{\"neardup_deletes\":1,\"state\":\"other\"}\n");
  EXPECT_THAT(refusal(true), HasSubstr("the log of state other, but the backup is of"));
  EXPECT_FALSE(fs::exists(restored_));
}

}  // namespace
}  // namespace neardup::TEST_FILE
