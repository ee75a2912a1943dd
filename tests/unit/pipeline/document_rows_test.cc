#include "pipeline/document_rows.h"

#include <gtest/gtest.h>

#include <numeric>

#include "storage/memory_store.h"

namespace neardup {
namespace {

class DocumentRowsTest : public testing::Test {
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
  DocumentRows rows_{*store_, sketches_, tombstones_};
};

TEST_F(DocumentRowsTest, AreFoundWhetherFetchedOrNot) {
  store(1, 3);
  fetch({3, 1, 3, 4});
  EXPECT_EQ(rows_.get(1)->seq, 1u);
  EXPECT_EQ(rows_.get(2)->seq, 2u);
  EXPECT_EQ(rows_.get(4), nullptr);
}

TEST_F(DocumentRowsTest, OfEndedDocumentsAreNotThereAlsoWhileTheStoreHasThem) {
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

TEST_F(DocumentRowsTest, StayWhileTheyAreAskedForAndManyOthersToo) {
  const Seq many = 50'000;
  store(1, 5 * many);
  std::vector<Seq> again{7};
  for (Seq i = 0; i < 5; ++i) {
    fetch(seqs(i * many + 1, (i + 1) * many));
    rows_.fetch_also(again);
    const DocumentRow* kept = rows_.get(7);
    ASSERT_NE(kept, nullptr);
    EXPECT_EQ(kept->seq, 7u);
    EXPECT_EQ(rows_.get(i * many + 1)->seq, i * many + 1);
    EXPECT_EQ(rows_.get(7), kept);  // it did not move meanwhile
  }
}

}  // namespace
}  // namespace neardup
