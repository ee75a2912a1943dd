// Seqs so far apart that generations cannot be merged: a long stretch of records of which nothing
// is stored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "rocksdb_open.h"

namespace neardup::testing::TEST_FILE {
namespace {

constexpr std::size_t kSome = 1000;  // documents
constexpr Seq kTooFar = Seq{1} << 32;
constexpr std::uint64_t kPostings = 4;  // of a document: its id, its content, two bands

class RocksdbFarSeqs : public RocksdbOpen {
 protected:
  RocksdbFarSeqs() { options_.memory = std::uint64_t{1} << 20; }

  void put_some() {
    std::vector<DocumentRow> rows;
    for (std::size_t i = 0; i < kSome; ++i) rows.push_back(document(next_++));
    put_all(*store_, rows);
    stored_ += kSome;
  }
  void put_some_far_away() {
    next_ += kTooFar;
    put_some();
  }
  bool soon(const std::function<bool()>& is_so) {
    for (int i = 0; i < 1000 && !is_so(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return is_so();
  }

  std::unique_ptr<Store> store_ = open();
  Seq next_ = 1;
  std::uint64_t stored_ = 0;
};

TEST_F(RocksdbFarSeqs, YoungerGenerationsAreMergedBehindOnesThatCannotBe) {
  put_some_far_away();
  put_some_far_away();
  while (store_->stats().index.flushes.runs < 12) put_some();
  EXPECT_TRUE(soon([&] { return store_->stats().index.merges.runs > 0; }));
}

TEST_F(RocksdbFarSeqs, WritingDoesNotWaitForMergesThatCannotBe) {
  for (int i = 0; i < 40; ++i) put_some_far_away();
  EXPECT_EQ(store_->size().postings, stored_ * kPostings);
  EXPECT_GT(store_->stats().index.generations, 32u);
}

TEST_F(RocksdbFarSeqs, CompactingDropsWhatIsGoneOnBothSidesOfAGap) {
  put_some();
  put_some();
  put_some_far_away();
  put_some();
  std::vector<DocumentRow> gone;
  for (const Seq first : {Seq{1}, next_ - 2 * kSome}) {
    for (Seq seq = first; seq < first + kSome; ++seq) gone.push_back(document(seq));
  }
  erase_all(*store_, gone);
  store_->compact();
  EXPECT_EQ(store_->stats().index.generations, 2u);
  EXPECT_EQ(store_->size().postings, (stored_ - gone.size()) * kPostings);
  for (const Seq seq : {Seq{kSome + 1}, next_ - 1}) {
    EXPECT_THAT(members(*store_, content_bucket(document(seq).content, "space")),
                ::testing::ElementsAre(seq));
  }
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
