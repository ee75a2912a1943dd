// What every store promises of its postings: hints in the order of arrival, and none is missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "store_under_test.h"

namespace neardup::testing::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

class StorePostings : public ::testing::TestWithParam<StoreKind> {
 protected:
  ScratchDirectory scratch_;
  StorageOptions options_ = options_of(GetParam(), scratch_);
  std::unique_ptr<Store> store_ = open_indexed(options_);
};

INSTANTIATE_TEST_SUITE_P(All, StorePostings, ::testing::ValuesIn(kStoreKinds),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(StorePostings, ComeOldestFirstWhateverCommitsTheyWereIn) {
  put_all(*store_, {document(2, {7}), document(255, {8}), document(256, {7})});
  put_all(*store_, {document(257, {7}), document(70'000, {7})});
  EXPECT_THAT(hints_of(*store_, bucket(0, 7)).seqs, ElementsAre(2, 256, 257, 70'000));
  EXPECT_FALSE(hints_of(*store_, bucket(0, 7)).more);
}

TEST_P(StorePostings, ABucketGivesAtMostTheLimitAndSaysWhetherThereIsMore) {
  put_all(*store_, {document(1, {7}), document(2, {7}), document(3, {7})});
  EXPECT_THAT(hints_of(*store_, bucket(0, 7), 0, 2).seqs, ElementsAre(1, 2));
  EXPECT_TRUE(hints_of(*store_, bucket(0, 7), 0, 2).more);
  EXPECT_THAT(hints_of(*store_, bucket(0, 7), 0, 3).seqs, ElementsAre(1, 2, 3));
  EXPECT_FALSE(hints_of(*store_, bucket(0, 7), 0, 3).more);
  EXPECT_THAT(hints_of(*store_, bucket(0, 7), 0, 0).seqs, IsEmpty());
  EXPECT_TRUE(hints_of(*store_, bucket(0, 7), 0, 0).more);
}

TEST_P(StorePostings, OnlySeqsAfterTheGivenOneAreListed) {
  put_all(*store_, {document(1, {7}), document(5, {7}), document(9'000, {7})});
  EXPECT_THAT(hints_of(*store_, bucket(0, 7), 1).seqs, ElementsAre(5, 9'000));
  EXPECT_THAT(hints_of(*store_, bucket(0, 7), 2, 1).seqs, ElementsAre(5));
  EXPECT_TRUE(hints_of(*store_, bucket(0, 7), 2, 1).more);
  EXPECT_THAT(hints_of(*store_, bucket(0, 7), 5, 1).seqs, ElementsAre(9'000));
  EXPECT_FALSE(hints_of(*store_, bucket(0, 7), 5, 1).more);
  EXPECT_THAT(hints_of(*store_, bucket(0, 7), 9'000).seqs, IsEmpty());
  EXPECT_THAT(hints_of(*store_, bucket(0, 7), kMaxSeq).seqs, IsEmpty());
}

TEST_P(StorePostings, BandsAreKeptApart) {
  DocumentRow with_content = document(3, {1, 1});
  with_content.name_space = "";
  with_content.content.low = key_of(7);
  put_all(*store_, {document(1, {7, 8}), document(2, {8, 7}), with_content});
  EXPECT_THAT(hints_of(*store_, bucket(0, 7)).seqs, ElementsAre(1));
  EXPECT_THAT(hints_of(*store_, bucket(1, 7)).seqs, ElementsAre(2));
  EXPECT_THAT(hints_of(*store_, bucket(kContentBand, 7)).seqs, ElementsAre(3));
  EXPECT_THAT(hints_of(*store_, bucket(2, 7)).seqs, IsEmpty());
  EXPECT_THAT(hints_of(*store_, bucket(kContentBand - 1, 7)).seqs, IsEmpty());
}

TEST_P(StorePostings, TheSameContentInEachNamespaceHasABucketOfItsOwn) {
  std::vector<DocumentRow> rows;
  for (Seq seq = 1; seq <= 40; ++seq) {
    DocumentRow row = document(seq);
    row.name_space = seq == 1 ? "" : "site " + std::to_string(seq);
    row.content = {key_of(7), 9};
    rows.push_back(std::move(row));
  }
  put_all(*store_, rows);
  for (const DocumentRow& row : rows) {
    EXPECT_THAT(hints_of(*store_, content_bucket(row.content, row.name_space)).seqs,
                ElementsAre(row.seq));
  }
  EXPECT_THAT(hints_of(*store_, content_bucket({key_of(7), 9}, "another")).seqs, IsEmpty());
}

TEST_P(StorePostings, TheFirstAndTheLastKeyAreBucketsLikeOthers) {
  DocumentRow first = document(1);
  first.name_space = "";
  first.content.low = 0;
  DocumentRow last = document(2);
  last.name_space = "";
  last.content.low = ~std::uint64_t{0};
  put_all(*store_, {first, last});
  EXPECT_THAT(members(*store_, {kContentBand, 0}), ElementsAre(1));
  EXPECT_THAT(members(*store_, {kContentBand, ~std::uint64_t{0}}), ElementsAre(2));
}

TEST_P(StorePostings, NoneIsMissingWhereKeysDifferInTheirLowestBitOnly) {
  std::vector<DocumentRow> rows;
  for (Seq seq = 1; seq <= 10; ++seq) rows.push_back(document(seq, {6 + seq % 2}));
  put_all(*store_, rows);
  for (const std::size_t limit : {1, 3, 100}) {
    EXPECT_THAT(members(*store_, bucket(0, 6), limit), ElementsAre(2, 4, 6, 8, 10)) << limit;
    EXPECT_THAT(members(*store_, bucket(0, 7), limit), ElementsAre(1, 3, 5, 7, 9)) << limit;
  }
}

TEST_P(StorePostings, ListsAnswerTheirBucketsInOrderAndRepeatedBucketsAlike) {
  put_all(*store_, {document(1, {10, 20}), document(2, {10, 21}), document(3, {12, 22})});
  PostingLists lists;
  lists.clear(9);
  const Seq stale[] = {77, 78};
  lists.set(0, stale, true);
  lists.set(1, stale, true);
  const Bucket asked[] = {bucket(0, 10), bucket(5, 5), bucket(1, 22), bucket(0, 10)};
  store_->postings(asked, 0, 1, lists);
  ASSERT_EQ(lists.size(), 4);
  EXPECT_THAT(lists.seqs(0), ElementsAre(1));
  EXPECT_TRUE(lists.more(0));
  EXPECT_THAT(lists.seqs(1), IsEmpty());
  EXPECT_FALSE(lists.more(1));
  EXPECT_THAT(lists.seqs(2), ElementsAre(3));
  EXPECT_FALSE(lists.more(2));
  EXPECT_THAT(lists.seqs(3), ElementsAre(1));
  EXPECT_TRUE(lists.more(3));
  store_->postings({}, 0, 1, lists);
  EXPECT_EQ(lists.size(), 0);
}

TEST_P(StorePostings, ADocumentWithoutASketchIsFoundByItsContentOnly) {
  DocumentRow row = document(1);
  row.sketch.clear();
  put_all(*store_, {row, document(2, {7})});
  EXPECT_THAT(hints_of(*store_, content_bucket(row.content, "space")).seqs, ElementsAre(1));
  EXPECT_THAT(hints_of(*store_, bucket(0, 7)).seqs, ElementsAre(2));
}

TEST_P(StorePostings, AnIdWithoutADocumentHasNone) {
  WriteSet writes;
  const DocumentRow copied = document(1, {7});
  put(writes, copied);
  writes.ids.emplace_back(
      IdKey{"", "copy"},
      IdRow{.seq = 2, .content = copied.content, .kept = false, .has_document = false});
  store_->commit(writes);
  EXPECT_THAT(hints_of(*store_, content_bucket(copied.content, "space")).seqs, ElementsAre(1));
}

TEST_P(StorePostings, DocumentsThatEndLeaveTheOthersOfTheBucket) {
  std::vector<DocumentRow> rows;
  for (Seq seq = 1; seq <= 60; ++seq) rows.push_back(document(seq, {7}));
  put_all(*store_, rows);
  rows.pop_back();
  rows.erase(rows.begin() + 29);  // 30 and 60 stay
  erase_all(*store_, rows);
  put_all(*store_, {document(61, {7})});
  for (const std::size_t limit : {1, 7, 100}) {
    for (int round = 0; round < 2; ++round) {  // a look-up may tidy up
      EXPECT_THAT(members(*store_, bucket(0, 7), limit), ElementsAre(30, 60, 61)) << limit;
    }
  }
  erase_all(*store_, {document(30, {7}), document(60, {7}), document(61, {7})});
  EXPECT_THAT(members(*store_, bucket(0, 7)), IsEmpty());
  put_all(*store_, {document(62, {7})});
  EXPECT_THAT(members(*store_, bucket(0, 7)), ElementsAre(62));
}

TEST_P(StorePostings, CompactionLeavesThoseOfLiveDocumentsOnly) {
  const std::vector<DocumentRow> rows = {document(1, {7}), document(2, {7}), document(3, {7})};
  put_all(*store_, rows);
  erase_all(*store_, {rows[0], rows[2]});
  store_->compact();
  EXPECT_THAT(hints_of(*store_, bucket(0, 7)).seqs, ElementsAre(2));
  EXPECT_THAT(hints_of(*store_, content_bucket(rows[0].content, "space")).seqs, IsEmpty());
}

TEST_P(StorePostings, NoneOfManyIsMissing) {
  constexpr Seq kDocuments = 30'000;
  constexpr std::uint64_t kBuckets = 500;
  std::vector<Seq> all(kDocuments);
  std::iota(all.begin(), all.end(), Seq{1});
  WriteSet writes;
  for (const Seq seq : all) {
    put(writes, document(seq, {7, 2 * (seq % kBuckets)}));
    if (writes.documents.size() < 7'000 && seq != kDocuments) continue;
    store_->commit(writes);
    writes.clear();
  }
  std::vector<Seq> of_one;
  for (Seq seq = 123; seq <= kDocuments; seq += kBuckets) of_one.push_back(seq);
  EXPECT_THAT(hints_of(*store_, bucket(1, 2 * 123), 0, 1'000).seqs, ElementsAreArray(of_one));
  EXPECT_EQ(hints_of(*store_, bucket(0, 7), 0, kDocuments).seqs, all);
  EXPECT_FALSE(hints_of(*store_, bucket(0, 7), 0, kDocuments).more);
  EXPECT_EQ(members(*store_, bucket(0, 7), 4'096), all);
  for (const Seq seq : {Seq{1}, Seq{17}, Seq{12'345}, kDocuments}) {
    EXPECT_THAT(hints_of(*store_, content_bucket(document(seq).content, "space")).seqs,
                ElementsAre(seq));
  }
}

TEST_P(StorePostings, OneBitSketchesOfRecentDocumentsAreAtHand) {
  DocumentRow without_sketch = document(2);
  without_sketch.sketch.clear();
  put_all(*store_, {document(1, {7}), without_sketch, document(5, {8})});
  put_all(*store_, {document(9, {7})});
  for (const DocumentRow& row : {document(1, {7}), document(5, {8}), document(9, {7})}) {
    const std::uint64_t* bits = store_->one_bit(row.seq);
    ASSERT_NE(bits, nullptr) << row.seq;
    EXPECT_THAT(std::vector(bits, bits + 2), ElementsAreArray(index_of(row).one_bit)) << row.seq;
  }
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
