// Opening a state on disk: again, twice, beside a writer, and where there is none.
#include "rocksdb_open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "storage/stores.h"

namespace neardup::testing::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(RocksdbOpen, AStateKeepsEverythingWhenOpenedAgain) {
  auto store = open();
  store->commit(some_of_everything());
  const auto uuid = store->meta("uuid");
  for (int round = 0; round < 2; ++round) {
    store.reset();
    store = open();
    expect_some_of_everything(*store);
    EXPECT_EQ(store->meta("uuid"), uuid);
    store->compact();
  }
}

TEST_F(RocksdbOpen, TheOutboxAndWhatWasErasedFromItLast) {
  constexpr std::uint64_t kLastBatch = ~std::uint64_t{0};
  const std::string big(5'000'000, 'b');
  WriteSet writes = some_of_everything();
  writes.outbox = {{1, "a"}, {2, "b"}, {kLastBatch, big}};
  open()->commit(writes);
  writes.clear();
  writes.erase_outbox = {1};
  open()->commit(writes);
  for (int round = 0; round < 2; ++round) {
    const auto store = open();
    expect_some_of_everything(*store);
    EXPECT_EQ(store->outbox(1), std::nullopt);
    EXPECT_EQ(store->outbox(2), "b");
    EXPECT_EQ(store->outbox(kLastBatch), big);
    store->compact();
  }
}

TEST_F(RocksdbOpen, AReaderBesideAWriterSeesWhatWasCommitted) {
  const auto writer = open();
  writer->commit(some_of_everything());
  expect_some_of_everything(*open(OpenMode::kReadOnly));
  writer->compact();
  const auto reader = open(OpenMode::kReadOnly);
  WriteSet later;
  later.meta = {{"position", "18"}};
  writer->commit(later);
  expect_some_of_everything(*reader);
}

TEST_F(RocksdbOpen, AReaderCannotCommit) {
  open()->commit(some_of_everything());
  EXPECT_THROW(open(OpenMode::kReadOnly)->commit(some_of_everything()), Failure);
}

TEST_F(RocksdbOpen, AReaderIsToldWhenThereIsNoState) {
  EXPECT_THAT(refusal(Exit::kUnavailable, OpenMode::kReadOnly), HasSubstr(scratch_.file("state")));
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("state")));
}

TEST_F(RocksdbOpen, AStateIsOpenOnceInAProcess) {
  const auto store = open();
  EXPECT_THAT(refusal(Exit::kUnavailable), HasSubstr("already open"));
}

TEST_F(RocksdbOpen, AStateInUseNamesTheProcessThatHoldsIt) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t holder = fork();
  ASSERT_GE(holder, 0);
  if (holder == 0) {
    const auto store = open();
    _exit(write(ready[1], "", 1) == 1 ? pause() : 1);
  }
  close(ready[1]);  // so that a holder that fails is not waited for
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_THAT(refusal(Exit::kUnavailable),
              AllOf(HasSubstr("in use by process " + std::to_string(holder)),
                    HasSubstr(scratch_.file("state"))));
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  close(ready[0]);
  EXPECT_NO_THROW(open());
}

TEST_F(RocksdbOpen, ADirectoryWithOtherFilesIsRefused) {
  scratch_.write("holiday.jpg", "something");
  options_.path = scratch_.path();
  EXPECT_THAT(refusal(Exit::kConfig), AllOf(HasSubstr("holiday.jpg"), HasSubstr(scratch_.path())));
}

TEST_F(RocksdbOpen, AFileInPlaceOfADirectoryIsRefused) {
  scratch_.write("state", "something");
  EXPECT_THAT(refusal(Exit::kIo), HasSubstr("not a directory"));
  options_.path = scratch_.file("state") + "/below";
  EXPECT_THAT(refusal(Exit::kIo), HasSubstr(options_.path));
}

TEST_F(RocksdbOpen, ADirectoryThatCannotBeMadeIsRefused) {
  options_.path = "/proc/neardup";
  EXPECT_THAT(refusal(Exit::kIo), HasSubstr("/proc/neardup"));
}

TEST_F(RocksdbOpen, AnEmptyPathIsAConfigurationError) {
  options_.path.clear();
  EXPECT_THAT(refusal(Exit::kConfig), HasSubstr("storage.path"));
}

TEST_F(RocksdbOpen, DamagedFilesAreReported) {
  open()->commit(some_of_everything());
  scratch_.write("state/CURRENT", "something");
  EXPECT_THAT(refusal(Exit::kIo), HasSubstr("damaged"));
}

TEST_F(RocksdbOpen, ADestroyedStateIsGone) {
  open()->commit(some_of_everything());
  destroy_state(scratch_.file("state"));
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("state")));
  destroy_state(scratch_.file("state"));
  EXPECT_FALSE(document_of(*open(), 1));
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
