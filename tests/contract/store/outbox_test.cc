// What every store promises of its outbox: batches by number, part of the same atomic set.
#include <gtest/gtest.h>

#include "storage/stores.h"
#include "store_under_test.h"

namespace neardup::testing::TEST_FILE {
namespace {

constexpr std::uint64_t kLastBatch = ~std::uint64_t{0};

class StoreOutbox : public ::testing::TestWithParam<StoreKind> {
 protected:
  ScratchDirectory scratch_;
  StorageOptions options_ = options_of(GetParam(), scratch_);
  std::unique_ptr<Store> store_ = open_store(options_, OpenMode::kReadWrite);
};

INSTANTIATE_TEST_SUITE_P(All, StoreOutbox, ::testing::ValuesIn(kStoreKinds),
                         [](const auto& kind) { return kind.param.name; });

WriteSet batches(std::initializer_list<std::pair<std::uint64_t, std::string>> outbox) {
  WriteSet writes;
  writes.outbox = outbox;
  return writes;
}

TEST_P(StoreOutbox, BatchesOfAnyNumberComeBackByteForByteAndOthersAsNothing) {
  const std::string any_bytes("\0\xff\n\0", 4);
  store_->commit(batches({{0, "first"}, {kLastBatch, any_bytes}, {256, "a"}, {1, "b"}}));
  EXPECT_EQ(store_->outbox(0), "first");
  EXPECT_EQ(store_->outbox(kLastBatch), any_bytes);
  EXPECT_EQ(store_->outbox(256), "a");
  EXPECT_EQ(store_->outbox(1), "b");
  EXPECT_EQ(store_->outbox(2), std::nullopt);
  EXPECT_EQ(store_->outbox(kLastBatch - 1), std::nullopt);
}

TEST_P(StoreOutbox, ALaterValueReplacesAnEarlierOne) {
  store_->commit(batches({{1, "a"}, {2, "b"}}));
  store_->commit(batches({{1, "c"}, {1, "d"}}));
  EXPECT_EQ(store_->outbox(1), "d");
  EXPECT_EQ(store_->outbox(2), "b");
}

TEST_P(StoreOutbox, AnErasedBatchIsGoneAndTheOthersStay) {
  store_->commit(batches({{1, "a"}, {2, "b"}, {3, "c"}}));
  WriteSet writes;
  writes.erase_outbox = {2, 4, 2};
  store_->commit(writes);
  EXPECT_EQ(store_->outbox(1), "a");
  EXPECT_EQ(store_->outbox(2), std::nullopt);
  EXPECT_EQ(store_->outbox(3), "c");
}

TEST_P(StoreOutbox, ABatchErasedAndPutInOneSetIsThere) {
  store_->commit(batches({{1, "old"}, {2, "gone"}}));
  WriteSet writes = batches({{1, "new"}, {3, "first"}});
  writes.erase_outbox = {1, 2, 3};
  store_->commit(writes);
  EXPECT_EQ(store_->outbox(1), "new");
  EXPECT_EQ(store_->outbox(2), std::nullopt);
  EXPECT_EQ(store_->outbox(3), "first");
}

TEST_P(StoreOutbox, AClearedSetHoldsNothingOfTheOutbox) {
  store_->commit(batches({{1, "a"}}));
  WriteSet writes = batches({{2, "b"}});
  writes.erase_outbox = {1};
  writes.clear();
  store_->commit(writes);
  EXPECT_EQ(store_->outbox(1), "a");
  EXPECT_EQ(store_->outbox(2), std::nullopt);
}

TEST_P(StoreOutbox, BigBatchesSurviveCompaction) {
  const std::string value(5'000'000, 'b');
  store_->commit(batches({{7, value}, {8, value}}));
  store_->commit(batches({{9, value}}));
  WriteSet writes;
  writes.erase_outbox = {8};
  store_->commit(writes);
  store_->compact();
  EXPECT_EQ(store_->outbox(7), value);
  EXPECT_EQ(store_->outbox(8), std::nullopt);
  EXPECT_EQ(store_->outbox(9), value);
}

TEST_P(StoreOutbox, BatchesAreCountedNeitherAsDocumentsNorAsMeta) {
  store_->commit(batches({{1, "a"}}));
  EXPECT_EQ(store_->size().documents, 0);
  EXPECT_EQ(store_->size().ids, 0);
  EXPECT_EQ(store_->meta_with_prefix("").size(), 2);  // "format" and "uuid"
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
