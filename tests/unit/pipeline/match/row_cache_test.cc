#include "pipeline/match/row_cache.h"

#include <gtest/gtest.h>

#include <numeric>

#include "storage/memory_store.h"

namespace neardup::TEST_FILE {
namespace {

class RowCacheTest : public testing::Test {
 protected:
  void store(Seq first, Seq last) {
    WriteSet writes;
    for (Seq seq = first; seq <= last; ++seq) {
      DocumentPut put;
      put.row.seq = seq;
      writes.documents.push_back(std::move(put));
      writes.ids.emplace_back(IdKey{"", std::to_string(seq)}, IdRow{.seq = seq});
    }
    store_->commit(writes);
  }
  static std::vector<Seq> seqs(Seq first, Seq last) {
    std::vector<Seq> seqs(last - first + 1);
    std::iota(seqs.begin(), seqs.end(), first);
    return seqs;
  }
  void fetch(std::vector<Seq> seqs) { rows_.fetch(seqs); }

  std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
  SketchCache sketches_{1, 1 << 20};
  Tombstones tombstones_;
  RowCache rows_{*store_, sketches_, tombstones_, 1 << 20};
};

TEST_F(RowCacheTest, AreFoundWhetherFetchedOrNot) {
  store(1, 3);
  fetch({3, 1, 3, 4});
  EXPECT_EQ(rows_.get(1)->seq, 1u);
  EXPECT_EQ(rows_.get(2)->seq, 2u);
  EXPECT_EQ(rows_.get(4), nullptr);
}

TEST_F(RowCacheTest, OfEndedDocumentsAreNotThereAlsoWhileTheStoreHasThem) {
  store(1, 4);
  fetch({1});
  tombstones_.add({.seq = 1});
  tombstones_.add({.seq = 2});  // never asked for
  tombstones_.expire(4);
  EXPECT_EQ(rows_.get(1), nullptr);
  EXPECT_EQ(rows_.get(2), nullptr);
  EXPECT_EQ(rows_.get(3), nullptr);
  EXPECT_NE(rows_.get(4), nullptr);
}

TEST_F(RowCacheTest, StayWhileTheyAreAskedForAndManyOthersToo) {
  const Seq many = 5'000;
  store(1, 5 * many);
  for (Seq i = 0; i < 5; ++i) {
    for (Seq seq = i * many + 1; seq <= (i + 1) * many; ++seq) {
      rows_.limit();
      EXPECT_EQ(rows_.get(seq)->seq, seq);
      const DocumentRow* kept = rows_.get(7);
      ASSERT_NE(kept, nullptr);
      EXPECT_EQ(kept->seq, 7u);
      rows_.get(seq % many + 1);
      EXPECT_EQ(rows_.get(7), kept);  // it did not move meanwhile
    }
  }
}

// A store of rows of 64 KiB, that counts them.
class LargeRows : public testing::Test {
 protected:
  static constexpr std::uint64_t kBytes = 4 << 20;
  static constexpr std::size_t kWords = 8192;
  static constexpr std::uint64_t kMostRows = kBytes / (kWords * 8);

  LargeRows() {
    WriteSet writes;
    for (Seq seq = 1; seq <= 300; ++seq) {
      DocumentPut put;
      put.row.seq = seq;
      put.row.sketch.assign(kWords, seq);
      writes.documents.push_back(std::move(put));
      writes.ids.emplace_back(IdKey{"", std::to_string(seq)}, IdRow{.seq = seq});
    }
    store_->commit(writes);
  }

  std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
  SketchCache sketches_{kWords, 0};
  Tombstones tombstones_;
  RowCache rows_{*store_, sketches_, tombstones_, kBytes};
};

TEST_F(LargeRows, TakeNoMoreThanTheirBytesTogether) {
  for (Seq seq = 1; seq <= 300; ++seq) {
    rows_.limit();
    EXPECT_EQ(rows_.get(seq)->sketch[0], seq);
    EXPECT_LE(rows_.held_bytes(), kBytes + kBytes / kMostRows * 2);
  }
  EXPECT_GT(rows_.held_bytes(), kBytes / 4) << "so few that nothing is saved";
}

TEST_F(LargeRows, OfOneBulkReadTakeAPartOfTheBytes) {
  std::vector<Seq> seqs(300);
  std::iota(seqs.begin(), seqs.end(), Seq{1});
  rows_.fetch(seqs);
  EXPECT_LE(rows_.held_bytes(), kBytes / 3);
  EXPECT_EQ(rows_.get(300)->sketch[0], 300u);
}

}  // namespace
}  // namespace neardup::TEST_FILE
