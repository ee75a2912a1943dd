// What the tests of opening a state share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "pipeline/core/failure.h"
#include "store_under_test.h"

namespace neardup::testing {

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

  ScratchDirectory scratch_;
  StorageOptions options_ = rocksdb_test_options(scratch_.file("state"));
};

inline WriteSet some_of_everything() {
  WriteSet writes;
  writes.documents = {{document(1), "text"}};
  writes.postings = {{{1, 2}, 1, 3}};
  writes.ids = {{{"space", "id"}, {.seq = 1}}};
  writes.meta = {{"position", "17"}};
  return writes;
}

inline void expect_some_of_everything(Store& store) {
  ASSERT_TRUE(document_of(store, 1));
  EXPECT_TRUE(same(*document_of(store, 1), document(1)));
  EXPECT_EQ(store.text(1), "text");
  EXPECT_THAT(postings_of(store, {1, 2}).seqs, ::testing::ElementsAre(1));
  EXPECT_TRUE(id_of(store, {"space", "id"}));
  EXPECT_EQ(store.meta("position"), "17");
  EXPECT_EQ(store.stats().documents, 1);
  EXPECT_EQ(store.stats().ids, 1);
  EXPECT_GT(store.stats().disk_bytes, 0);
}

}  // namespace neardup::testing
