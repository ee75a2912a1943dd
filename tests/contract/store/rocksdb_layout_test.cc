// Opening a database that is not laid out as ours: another's, of another format, or cut off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "rocksdb_open.h"
#include "rocksdb_raw.h"

namespace neardup::testing::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(RocksdbOpen, AStateOfAnotherFormatIsRefusedWithBothVersions) {
  WriteSet writes;
  writes.meta = {{"format", "4711"}};
  open()->commit(writes);
  const auto names_both =
      AllOf(HasSubstr("4711"), HasSubstr("version " + std::to_string(kFormatVersion)));
  EXPECT_THAT(refusal(Exit::kConfig), names_both);
  EXPECT_THAT(refusal(Exit::kConfig, OpenMode::kReadOnly), names_both);
}

void add_family(const std::string& path, const std::string& name) {
  with_database(path, [&name](rocksdb::DB& database, const Handles&) {
    rocksdb::ColumnFamilyHandle* family = nullptr;
    ASSERT_TRUE(database.CreateColumnFamily({}, name, &family).ok());
    delete family;
  });
}

void drop_family(const std::string& path, const std::string& name) {
  with_family(path, name, [](rocksdb::DB& database, rocksdb::ColumnFamilyHandle* family) {
    ASSERT_TRUE(database.DropColumnFamily(family).ok());
  });
}

TEST_F(RocksdbOpen, AStateOfAnotherFormatWithOtherFamiliesIsRefusedWithBothVersions) {
  WriteSet writes;
  writes.meta = {{"format", "4711"}};
  open()->commit(writes);
  add_family(scratch_.file("state"), "theirs");
  EXPECT_THAT(refusal(Exit::kConfig), HasSubstr("4711"));
  EXPECT_THAT(refusal(Exit::kConfig, OpenMode::kReadOnly), HasSubstr("4711"));
}

TEST_F(RocksdbOpen, AnotherProgramsDatabaseIsRefusedAndLeftAsItIs) {
  with_database(scratch_.file("state"), [](rocksdb::DB& database, const Handles&) {
    ASSERT_TRUE(database.Put({}, "theirs", "value").ok());
  });
  EXPECT_THAT(refusal(Exit::kConfig), HasSubstr("not a neardup state"));
  with_database(scratch_.file("state"), [](rocksdb::DB& database, const Handles&) {
    std::string value;
    EXPECT_TRUE(database.Get({}, "theirs", &value).ok());
  });
  add_family(scratch_.file("state"), "theirs");
  EXPECT_THAT(refusal(Exit::kConfig), HasSubstr("not a neardup state"));
}

TEST_F(RocksdbOpen, AStateWhoseCreationWasCutOffIsCompleted) {
  with_database(scratch_.file("state"),
                [](rocksdb::DB&, const Handles&) {});  // a database, but no families of ours yet
  refusal(Exit::kUnavailable, OpenMode::kReadOnly);
  open()->commit(some_of_everything());
  expect_some_of_everything(*open());
}

TEST_F(RocksdbOpen, AStateWhoseCreationWasCutOffBeforeTheOutboxIsCompleted) {
  open();
  with_family(scratch_.file("state"), "meta", [](rocksdb::DB& database, auto* meta) {
    ASSERT_TRUE(database.Delete({}, meta, "format").ok());
    ASSERT_TRUE(database.Delete({}, meta, "uuid").ok());
  });
  drop_family(scratch_.file("state"), "outbox");
  std::filesystem::remove(scratch_.file("state/end"));
  refusal(Exit::kUnavailable, OpenMode::kReadOnly);
  open()->commit(some_of_everything());
  expect_some_of_everything(*open());
}

TEST_F(RocksdbOpen, AStateThatLacksAFamilyIsRefused) {
  for (const char* family : {"texts", "outbox", "index", "bits", "ended"}) {
    options_.path = scratch_.file(family);
    open()->commit(some_of_everything());
    drop_family(options_.path, family);
    EXPECT_THAT(refusal(Exit::kConfig), HasSubstr("not a neardup state"));
    EXPECT_THAT(refusal(Exit::kConfig, OpenMode::kReadOnly), HasSubstr("not a neardup state"));
  }
}

TEST_F(RocksdbOpen, AnEmptyBatchInTheOutboxIsDamage) {
  open();
  with_family(scratch_.file("state"), "outbox", [](rocksdb::DB& database, auto* outbox) {
    ASSERT_TRUE(database.Put({}, outbox, std::string("\0\0\0\0\0\0\1\2", 8), "").ok());
  });
  const auto store = open();
  EXPECT_EQ(store->outbox(1), std::nullopt);
  EXPECT_THROW(store->outbox(0x0102), Failure);
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
