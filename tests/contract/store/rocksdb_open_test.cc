// Opening a state on disk: again, twice, beside a writer, and where none of ours is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "pipeline/core/failure.h"
#include "store_under_test.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RocksdbOpen : public ::testing::Test {
 protected:
  std::unique_ptr<Store> open(OpenMode mode = OpenMode::kReadWrite) {
    return open_store(options_, mode);
  }

  // The message of the failure that opening ends with.
  std::string refusal(Exit exit, OpenMode mode = OpenMode::kReadWrite) {
    try {
      open(mode);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), exit) << failure.what();
      return failure.what();
    }
    ADD_FAILURE() << "was opened";
    return {};
  }

  void write_file(const std::string& path) { std::ofstream(path) << "something"; }

  ScratchDirectory scratch_;
  StorageOptions options_ = rocksdb_test_options(scratch_.state());
};

WriteSet some_of_everything() {
  WriteSet writes;
  writes.documents = {{document(1), "text"}};
  writes.postings = {{{1, 2}, 1, 3}};
  writes.ids = {{{"space", "id"}, {.seq = 1}}};
  writes.meta = {{"position", "17"}};
  return writes;
}

void expect_some_of_everything(Store& store) {
  ASSERT_TRUE(document_of(store, 1));
  EXPECT_TRUE(same(*document_of(store, 1), document(1)));
  EXPECT_EQ(store.text(1), "text");
  EXPECT_THAT(postings_of(store, {1, 2}).seqs, ElementsAre(1));
  EXPECT_TRUE(id_of(store, {"space", "id"}));
  EXPECT_EQ(store.meta("position"), "17");
  EXPECT_EQ(store.stats().documents, 1);
  EXPECT_EQ(store.stats().ids, 1);
  EXPECT_GT(store.stats().disk_bytes, 0);
}

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
  EXPECT_THAT(refusal(Exit::kUnavailable, OpenMode::kReadOnly), HasSubstr(scratch_.state()));
  EXPECT_FALSE(std::filesystem::exists(scratch_.state()));
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
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_THAT(
      refusal(Exit::kUnavailable),
      AllOf(HasSubstr("in use by process " + std::to_string(holder)), HasSubstr(scratch_.state())));
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
  EXPECT_NO_THROW(open());
}

TEST_F(RocksdbOpen, AStateOfAnotherFormatIsRefusedWithBothVersions) {
  WriteSet writes;
  writes.meta = {{"format", "4711"}};
  open()->commit(writes);
  const auto names_both =
      AllOf(HasSubstr("4711"), HasSubstr("version " + std::to_string(kFormatVersion)));
  EXPECT_THAT(refusal(Exit::kConfig), names_both);
  EXPECT_THAT(refusal(Exit::kConfig, OpenMode::kReadOnly), names_both);
}

// Changes the families of a database behind the store's back.
void with_database(const std::string& path, const std::function<void(rocksdb::DB&)>& change) {
  rocksdb::Options options;
  options.create_if_missing = true;
  std::vector<std::string> names;
  if (!rocksdb::DB::ListColumnFamilies(options, path, &names).ok()) names = {"default"};
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, rocksdb::ColumnFamilyOptions());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, path, families, &handles, &opened).ok());
  const std::unique_ptr<rocksdb::DB> database(opened);
  change(*database);
  for (auto* handle : handles) delete handle;
}

void add_family(rocksdb::DB& database) {
  rocksdb::ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(database.CreateColumnFamily({}, "outbox", &family).ok());
  delete family;
}

TEST_F(RocksdbOpen, AStateOfAnotherFormatWithOtherFamiliesIsRefusedWithBothVersions) {
  WriteSet writes;
  writes.meta = {{"format", "4711"}};
  open()->commit(writes);
  with_database(scratch_.state(), add_family);
  EXPECT_THAT(refusal(Exit::kConfig), HasSubstr("4711"));
  EXPECT_THAT(refusal(Exit::kConfig, OpenMode::kReadOnly), HasSubstr("4711"));
}

TEST_F(RocksdbOpen, AnotherProgramsDatabaseIsRefusedAndLeftAsItIs) {
  with_database(scratch_.state(), [](rocksdb::DB& database) {
    ASSERT_TRUE(database.Put({}, "theirs", "value").ok());
  });
  EXPECT_THAT(refusal(Exit::kConfig), HasSubstr("not a neardup state"));
  with_database(scratch_.state(), [](rocksdb::DB& database) {
    std::string value;
    EXPECT_TRUE(database.Get({}, "theirs", &value).ok());
  });
  with_database(scratch_.state(), add_family);
  EXPECT_THAT(refusal(Exit::kConfig), HasSubstr("not a neardup state"));
}

TEST_F(RocksdbOpen, AStateWhoseCreationWasCutOffIsCompleted) {
  with_database(scratch_.state(), [](rocksdb::DB&) {});  // a database, but no families of ours yet
  refusal(Exit::kUnavailable, OpenMode::kReadOnly);
  open()->commit(some_of_everything());
  expect_some_of_everything(*open());
}

TEST_F(RocksdbOpen, ADirectoryWithOtherFilesIsRefused) {
  write_file(scratch_.path() + "/holiday.jpg");
  options_.path = scratch_.path();
  EXPECT_THAT(refusal(Exit::kConfig), AllOf(HasSubstr("holiday.jpg"), HasSubstr(scratch_.path())));
}

TEST_F(RocksdbOpen, AFileInPlaceOfADirectoryIsRefused) {
  write_file(scratch_.state());
  EXPECT_THAT(refusal(Exit::kIo), HasSubstr("not a directory"));
  options_.path = scratch_.state() + "/below";
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
  write_file(scratch_.state() + "/CURRENT");
  EXPECT_THAT(refusal(Exit::kIo), HasSubstr("damaged"));
}

TEST_F(RocksdbOpen, ADestroyedStateIsGone) {
  open()->commit(some_of_everything());
  destroy_state(scratch_.state());
  EXPECT_FALSE(std::filesystem::exists(scratch_.state()));
  destroy_state(scratch_.state());
  EXPECT_FALSE(document_of(*open(), 1));
}

}  // namespace
}  // namespace neardup::testing
