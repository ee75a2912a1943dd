// Compacting beside the flushes and merges of the index.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rocksdb_open.h"

namespace neardup::testing::TEST_FILE {
namespace {

constexpr std::uint64_t kPostings = 4;  // of a document: its id, its content, two bands

class RocksdbCompact : public RocksdbOpen {
 protected:
  RocksdbCompact() { options_.memory = std::uint64_t{1} << 20; }

  void put_some(Store& store, std::uint64_t count) {
    std::vector<DocumentRow> rows;
    for (; count > 0; --count) rows.push_back(document(next_++));
    put_all(store, rows);
  }
  static void erase_range(Store& store, Seq first, Seq end) {
    std::vector<DocumentRow> rows;
    for (Seq seq = first; seq < end; ++seq) rows.push_back(document(seq));
    erase_all(store, rows);
  }

  Seq next_ = 1;
};

TEST_F(RocksdbCompact, DuringAMergeItDropsWhatIsGoneOfOtherGenerationsToo) {
  const auto store = open();
  std::uint64_t live = 0;
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    put_some(*store, 1000);
    store->compact();
    const Seq old = next_ - 1000;
    for (int flush = 0; flush < 8; ++flush) put_some(*store, 1000);
    erase_range(*store, old, old + 500);
    live += 9 * 1000 - 500;
    store->compact();
    ASSERT_EQ(store->size().postings, live * kPostings);
  }
}

TEST_F(RocksdbCompact, WhatExpiredBeforeTheStateWasOpenedIsDropped) {
  {
    const auto store = open();
    put_some(*store, 5000);
    WriteSet writes;
    writes.expired_before = 3001;
    store->commit(writes);
  }
  const auto store = open();
  store->compact();
  EXPECT_EQ(store->size().postings, 2000 * kPostings);
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
