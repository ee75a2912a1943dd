// What every store tells of itself while it is at work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "store_under_test.h"

namespace neardup::testing::TEST_FILE {
namespace {

class StoreStatsContract : public ::testing::TestWithParam<StoreKind> {
 protected:
  ScratchDirectory scratch_;
  StorageOptions options_ = options_of(GetParam(), scratch_);
  std::unique_ptr<Store> store_ = open_indexed(options_);
};

INSTANTIATE_TEST_SUITE_P(All, StoreStatsContract, ::testing::ValuesIn(kStoreKinds),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(StoreStatsContract, DocumentsAreCountedAndHowTheyLeft) {
  put_all(*store_, {document(1), document(2), document(3), document(4)});
  erase_all(*store_, {document(3)});
  WriteSet writes;
  writes.expired_before = 3;
  store_->commit(writes);
  const StoreStats stats = store_->stats();
  EXPECT_EQ(stats.documents, 1);
  EXPECT_EQ(stats.ids, 1);
  EXPECT_EQ(stats.documents_ended, 1);
  EXPECT_EQ(stats.documents_expired, 2);
  EXPECT_EQ(stats.expired_before, 3);
}

TEST_P(StoreStatsContract, AnotherThreadMayReadWhileTheStoreWorks) {
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    while (!stop) EXPECT_LE(store_->stats().documents, 500u);
  });
  for (Seq seq = 1; seq <= 500; ++seq) put_all(*store_, {document(seq)});
  stop = true;
  reader.join();
  EXPECT_EQ(store_->stats().documents, 500u);
}

TEST(RocksdbReadings, FilesMemoryAndLogAreTold) {
  const ScratchDirectory scratch;
  StorageOptions options = rocksdb_test_options(scratch.file("state"));
  options.statistics = true;
  auto store = open_indexed(options);
  for (Seq seq = 1; seq <= 200; ++seq) put_all(*store, {document(seq, {seq, 7})});
  StoreStats stats = store->stats();
  EXPECT_EQ(stats.index.postings, store->size().postings);
  EXPECT_GT(stats.index.memtable_bytes, 0u);
  EXPECT_GT(stats.database.write_buffer_bytes, 0u);
  EXPECT_GE(stats.database.log_syncs, 200u);
  EXPECT_GT(stats.database.log_written_bytes, 0u);
  EXPECT_GT(stats.disk_bytes, 0u);
  EXPECT_EQ(stats.database.background_errors, 0u);
  EXPECT_FALSE(stats.database.write_stopped);
  store->compact();
  stats = store->stats();
  EXPECT_EQ(stats.index.generations, 1u);
  EXPECT_EQ(stats.index.flushes.runs, 1u);
  EXPECT_EQ(stats.index.merges.runs, 1u);
  EXPECT_GT(stats.index.merges.seconds, 0);
  EXPECT_GT(stats.index.filter_bytes, 0u);
  EXPECT_EQ(stats.index.postings, store->size().postings);
  EXPECT_GT(stats.database.live_file_bytes[4], 0u) << "index";
  EXPECT_GT(stats.database.flush_written_bytes, 0u);
}

TEST(RocksdbReadings, WithoutStatisticsNothingIsCounted) {
  const ScratchDirectory scratch;
  auto store = open_indexed(rocksdb_test_options(scratch.file("state")));
  put_all(*store, {document(1)});
  EXPECT_EQ(store->stats().database.log_syncs, 0u);
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
