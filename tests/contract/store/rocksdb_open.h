// What the tests of opening a state share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "pipeline/base/failure.h"
#include "store_under_test.h"

namespace neardup::testing {

class RocksdbOpen : public ::testing::Test {
 protected:
  std::unique_ptr<Store> open(OpenMode mode = OpenMode::kReadWrite) {
    return open_indexed(options_, mode);
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

// A kept document, one that was flagged and is indexed all the same, and a flagged id.
inline WriteSet some_of_everything() {
  WriteSet writes;
  put(writes, document(1, {7}), "text");
  put(writes, document(2, {7}));
  writes.ids.back().second.kept = false;
  writes.ids.emplace_back(IdKey{"space", "flagged"},
                          IdRow{.seq = 3, .kept = false, .has_document = false, .original = 1});
  writes.meta = {{"position", "17"}};
  return writes;
}

inline WriteSet all_of_it_erased() {
  WriteSet writes;
  writes.erase_documents = {1, 2};
  writes.erase_ids = some_of_everything().ids;
  return writes;
}

inline void expect_some_of_everything(Store& store) {
  ASSERT_TRUE(document_of(store, 1));
  EXPECT_TRUE(same(*document_of(store, 1), document(1, {7})));
  EXPECT_EQ(store.text(1), "text");
  EXPECT_THAT(members(store, bucket(0, 7)), ::testing::ElementsAre(1, 2));
  EXPECT_THAT(members(store, content_bucket(document(1).content, "space")),
              ::testing::ElementsAre(1));
  EXPECT_EQ(id_of(store, id_key_of(document(1))).value_or(IdRow{}).seq, 1);
  EXPECT_FALSE(id_of(store, id_key_of(document(2))).value_or(IdRow{}).kept);
  EXPECT_EQ(id_of(store, {"space", "flagged"}).value_or(IdRow{}).seq, 3);
  EXPECT_EQ(store.meta("position"), "17");
  EXPECT_EQ(store.size().documents, 2);
  EXPECT_EQ(store.size().ids, 3);
  EXPECT_GT(store.size().disk_bytes, 0);
}

}  // namespace neardup::testing
