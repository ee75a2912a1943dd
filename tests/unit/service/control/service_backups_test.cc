// Backups of a running service, without the service: a state on disk, and whoever owns it.
#include "service/control/service_backups.h"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "pipeline/base/mutex.h"
#include "service/state/backup.h"
#include "service/state/backup_directory.h"
#include "storage/store.h"
#include "storage/stores.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

class ServiceBackupsTest : public testing::Test {
 protected:
  ServiceBackupsTest() {
    fs::create_directory(options_.directory);
    StorageOptions storage;
    storage.path = state_;
    storage.memory = std::uint64_t{16} << 20;
    store_ = open_store(storage, OpenMode::kReadWrite);
    uuid_ = store_->meta("uuid").value();
    start();
  }

  void start() {
    backups_ = std::make_unique<ServiceBackups>(options_, state_, log_);
    backups_->state_opened(uuid_);
  }

  std::string begin() {
    return backups_->begin([this] { make_checkpoint(state_, *store_); });
  }

  ServiceBackups::Status end_of(const std::string& name) {
    while (backups_->status(name).running()) std::this_thread::yield();
    return backups_->status(name);
  }

  std::string refusal() {
    try {
      begin();
    } catch (const Failure& failure) {
      return std::to_string(static_cast<int>(failure.exit())) + ": " + failure.what();
    }
    return {};
  }

  ServiceBackups::Counts counts() { return backups_->counts().value(); }

  ScratchDirectory scratch_;
  std::string state_ = scratch_.file("state");
  BackupOptions options_{.directory = scratch_.file("backups"), .keep = 2};
  std::string lines_;
  Log log_{LogOptions{}, [this](std::string_view line) { lines_ += line; },
           [] { return std::chrono::system_clock::time_point(); }};
  std::unique_ptr<Store> store_;
  std::string uuid_;
  std::unique_ptr<ServiceBackups> backups_;
};

TEST_F(ServiceBackupsTest, AreWholeAndOnlyTheLatestStay) {
  EXPECT_EQ(counts().latest_ms, 0);
  std::string name;
  for (int i = 0; i < 4; ++i) {
    name = begin();
    const ServiceBackups::Status status = end_of(name);
    ASSERT_TRUE(status.made);
    EXPECT_EQ(status.made->uuid, uuid_);
    EXPECT_EQ(status.copied, status.made->bytes());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const auto whole = whole_backups(options_.directory, uuid_);
  EXPECT_THAT(whole, SizeIs(2));
  EXPECT_EQ(whole.back(), name);
  EXPECT_EQ(counts().made, 4);
  EXPECT_EQ(counts().failed, 0);
  EXPECT_EQ(counts().latest_ms, latest_backup_ms(options_.directory, uuid_));
  EXPECT_THAT(lines_, HasSubstr("\"event\":\"backup made\""));
  backups_.reset();
  EXPECT_FALSE(fs::exists(state_ + "/backup")) << "the checkpoint";
}

TEST_F(ServiceBackupsTest, AnEarlierRunsLatestIsKnownAfterARestart) {
  const std::int64_t made = end_of(begin()).made->made_ms;
  start();
  EXPECT_EQ(counts().latest_ms, made);
  EXPECT_EQ(counts().made, 0);
}

TEST_F(ServiceBackupsTest, OneThatFailsLeavesNothingAndTheLastOneStays) {
  const std::string first = begin();
  end_of(first);
  const ServiceBackups::Status failed = end_of(backups_->begin([this] {
    fs::create_directory(state_ + "/backup");
    scratch_.write("state/backup/CURRENT", "no database");
  }));
  ASSERT_TRUE(failed.failure);
  EXPECT_THAT(lines_, HasSubstr("\"event\":\"backup failed\""));
  EXPECT_EQ(counts().failed, 1);
  EXPECT_THAT(whole_backups(options_.directory, uuid_), testing::ElementsAre(first));
  EXPECT_TRUE(end_of(begin()).made) << "the next one finds everything in order";
  EXPECT_EQ(std::distance(fs::directory_iterator(options_.directory), {}), 2);
}

TEST_F(ServiceBackupsTest, WhatAKilledServiceLeftIsRemoved) {
  const std::string left = options_.directory + '/' + backup_name(uuid_, 1);
  fs::create_directory(left);
  end_of(begin());
  EXPECT_FALSE(fs::exists(left));
}

TEST_F(ServiceBackupsTest, WithoutAPlaceTheyAreRefused) {
  fs::remove(options_.directory);
  EXPECT_THAT(refusal(), StartsWith("78: `backup.directory` " + options_.directory +
                                    " is not a directory: is its volume mounted?"));
  options_.directory = state_;
  EXPECT_THAT(refusal(), HasSubstr("lies in the state itself"));
  fs::create_directory(state_ + "/inside");
  options_.directory = state_ + "/inside";
  EXPECT_THAT(refusal(), HasSubstr("lies in the state itself"));
  options_.directory = "";
  EXPECT_THAT(refusal(), StartsWith("78: `backup.directory` is not set"));
  EXPECT_FALSE(backups_->counts()) << "nothing is told of what is not wanted";
}

TEST_F(ServiceBackupsTest, OneAtATimeAlsoBesideACommand) {
  const BackupLock command(state_);
  EXPECT_THAT(refusal(), HasSubstr("75: state " + state_ + ": another backup is being made"));
}

TEST_F(ServiceBackupsTest, OfAnotherRunNothingIsKnown) {
  const std::string name = begin();
  start();
  EXPECT_THROW(backups_->status(name), Failure);
}

TEST_F(ServiceBackupsTest, ACheckpointForAnotherProcessNeverMeetsOneOfItsOwn) {
  constexpr int kRounds = 30;
  Mutex deciding;  // checkpoints are made by one thread
  const auto checkpoint = [&] {
    const MutexLock lock(deciding);
    make_checkpoint(state_, *store_);
  };
  const auto attempt = [](const auto& make) {
    try {
      make();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUnavailable) << failure.what();
    }
  };
  std::jthread other([&] {
    for (int i = 0; i < kRounds; ++i) attempt([&] { backups_->for_other(checkpoint); });
  });
  for (int i = 0; i < kRounds; ++i) attempt([&] { backups_->begin(checkpoint); });
  other.join();
}

}  // namespace
}  // namespace neardup::TEST_FILE
