// Opening a database that is not laid out as ours: another's, of another format, or cut off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <functional>

#include "rocksdb_open.h"

namespace neardup::testing {
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

// Changes a database behind the store's back; `handles` are those of its families.
using Handles = std::vector<rocksdb::ColumnFamilyHandle*>;
void with_database(const std::string& path,
                   const std::function<void(rocksdb::DB&, const Handles&)>& change) {
  rocksdb::Options options;
  options.create_if_missing = true;
  std::vector<std::string> names;
  if (!rocksdb::DB::ListColumnFamilies(options, path, &names).ok()) names = {"default"};
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, rocksdb::ColumnFamilyOptions());
  Handles handles;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, path, families, &handles, &opened).ok());
  const std::unique_ptr<rocksdb::DB> database(opened);
  change(*database, handles);
  for (auto* handle : handles) delete handle;
}

void add_family(const std::string& path, const std::string& name) {
  with_database(path, [&name](rocksdb::DB& database, const Handles&) {
    rocksdb::ColumnFamilyHandle* family = nullptr;
    ASSERT_TRUE(database.CreateColumnFamily({}, name, &family).ok());
    delete family;
  });
}

// Calls use(database, handle of the family `name`).
void with_family(const std::string& path, const std::string& name,
                 const std::function<void(rocksdb::DB&, rocksdb::ColumnFamilyHandle*)>& use) {
  with_database(path, [&](rocksdb::DB& database, const Handles& handles) {
    const auto found = std::find_if(handles.begin(), handles.end(),
                                    [&](auto* handle) { return handle->GetName() == name; });
    ASSERT_NE(found, handles.end());
    use(database, *found);
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
}  // namespace neardup::testing
