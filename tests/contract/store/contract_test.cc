// What every store promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store_under_test.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class StoreContract : public ::testing::TestWithParam<StoreKind> {
 protected:
  ScratchDirectory scratch_;
  StorageOptions options_ = options_of(GetParam(), scratch_);
  std::unique_ptr<Store> store_ = open_store(options_, OpenMode::kReadWrite);
};

INSTANTIATE_TEST_SUITE_P(All, StoreContract, ::testing::ValuesIn(kStoreKinds),
                         [](const auto& kind) { return kind.param.name; });

WriteSet posting_set(std::initializer_list<Posting> postings) {
  WriteSet writes;
  writes.postings = postings;
  return writes;
}

TEST_P(StoreContract, PostingsComeOldestFirstWhateverTheOrderOfInsertion) {
  const Bucket bucket{3, 0xfedcba9876543210};
  store_->commit(posting_set({{bucket, 300, 1}, {bucket, kMaxSeq, 2}, {bucket, 2, 3}}));
  store_->commit(posting_set({{bucket, 255, 4}, {bucket, 256, 5}}));
  EXPECT_THAT(postings_of(*store_, bucket).seqs, ElementsAre(2, 255, 256, 300, kMaxSeq));
  EXPECT_FALSE(postings_of(*store_, bucket).more);
}

TEST_P(StoreContract, ABucketGivesAtMostTheLimitAndSaysWhetherThereIsMore) {
  const Bucket bucket{0, 1};
  store_->commit(posting_set({{bucket, 1, 0}, {bucket, 2, 0}, {bucket, 3, 0}}));
  EXPECT_THAT(postings_of(*store_, bucket, 0, 2).seqs, ElementsAre(1, 2));
  EXPECT_TRUE(postings_of(*store_, bucket, 0, 2).more);
  EXPECT_FALSE(postings_of(*store_, bucket, 0, 3).more);
  EXPECT_THAT(postings_of(*store_, bucket, 0, 0).seqs, IsEmpty());
  EXPECT_TRUE(postings_of(*store_, bucket, 0, 0).more);
}

TEST_P(StoreContract, OnlySeqsAfterTheGivenOneAreListed) {
  const Bucket bucket{0, 1};
  store_->commit(posting_set({{bucket, 1, 0}, {bucket, 5, 0}, {bucket, kMaxSeq, 0}}));
  EXPECT_THAT(postings_of(*store_, bucket, 1).seqs, ElementsAre(5, kMaxSeq));
  EXPECT_THAT(postings_of(*store_, bucket, 2, 1).seqs, ElementsAre(5));
  EXPECT_TRUE(postings_of(*store_, bucket, 2, 1).more);
  EXPECT_THAT(postings_of(*store_, bucket, kMaxSeq).seqs, IsEmpty());
}

TEST_P(StoreContract, NeighbouringBucketsAreKeptApart) {
  const Bucket last{7, ~std::uint64_t{0}};
  const Bucket next{8, 0};
  const Bucket content{kContentBand, ~std::uint64_t{0}};
  store_->commit(posting_set({{last, kMaxSeq, 0}, {next, 1, 0}, {content, 2, 0}}));
  EXPECT_THAT(postings_of(*store_, last).seqs, ElementsAre(kMaxSeq));
  EXPECT_THAT(postings_of(*store_, next).seqs, ElementsAre(1));
  EXPECT_THAT(postings_of(*store_, content).seqs, ElementsAre(2));
  EXPECT_THAT(postings_of(*store_, {7, 0}).seqs, IsEmpty());
  EXPECT_THAT(postings_of(*store_, last, kMaxSeq).seqs, IsEmpty());
}

TEST_P(StoreContract, ListsAnswerTheirBucketsInOrderAndRepeatedBucketsAlike) {
  const Bucket a{1, 10};
  const Bucket b{0, 20};
  store_->commit(posting_set({{a, 1, 0}, {a, 2, 0}, {b, 3, 0}}));
  std::vector<PostingList> lists(9, PostingList{{77}, true});
  const Bucket asked[] = {a, {5, 5}, b, a};
  store_->postings(asked, 0, 1, lists);
  ASSERT_EQ(lists.size(), 4);
  EXPECT_THAT(lists[0].seqs, ElementsAre(1));
  EXPECT_TRUE(lists[0].more);
  EXPECT_THAT(lists[1].seqs, IsEmpty());
  EXPECT_FALSE(lists[1].more);
  EXPECT_THAT(lists[2].seqs, ElementsAre(3));
  EXPECT_THAT(lists[3].seqs, ElementsAre(1));
  EXPECT_TRUE(lists[3].more);
  store_->postings({}, 0, 1, lists);
  EXPECT_THAT(lists, IsEmpty());
}

TEST_P(StoreContract, AnErasedPostingIsGoneAndTheOthersStay) {
  const Bucket bucket{1, 1};
  store_->commit(posting_set({{bucket, 1, 9}, {bucket, 2, 9}, {bucket, 3, 9}}));
  WriteSet writes;
  writes.erase_postings = {{bucket, 2, 0}, {bucket, 4, 0}, {{1, 2}, 1, 0}};
  store_->commit(writes);
  EXPECT_THAT(postings_of(*store_, bucket).seqs, ElementsAre(1, 3));
}

TEST_P(StoreContract, ErasuresComeBeforePutsOfTheSameSet) {
  const Bucket bucket{1, 1};
  WriteSet writes;
  writes.documents = {{document(1, "old"), "old text"}};
  writes.postings = {{bucket, 1, 0}};
  writes.ids = {{{"n", "i"}, {.seq = 1}}};
  store_->commit(writes);
  writes.erase_documents = {1};
  writes.erase_postings = {{bucket, 1, 0}};
  writes.erase_ids = {{"n", "i"}};
  writes.documents = {{document(1, "new"), "new text"}};
  writes.ids = {{{"n", "i"}, {.seq = 2}}};
  store_->commit(writes);
  ASSERT_TRUE(document_of(*store_, 1));
  EXPECT_EQ(document_of(*store_, 1)->id, "new");
  EXPECT_EQ(store_->text(1), "new text");
  EXPECT_THAT(postings_of(*store_, bucket).seqs, ElementsAre(1));
  ASSERT_TRUE(id_of(*store_, {"n", "i"}));
  EXPECT_EQ(id_of(*store_, {"n", "i"})->seq, 2);
  EXPECT_EQ(store_->stats().documents, 1);
  EXPECT_EQ(store_->stats().ids, 1);
}

TEST_P(StoreContract, DocumentsComeBackWholeAndMissingOnesAsNothing) {
  WriteSet writes;
  DocumentRow without_sketch = document(kMaxSeq, std::string("\0\xff", 2));
  without_sketch.sketch.clear();
  without_sketch.one_bit.clear();
  writes.documents = {{document(9), ""}, {document(1), ""}, {without_sketch, ""}};
  store_->commit(writes);
  std::vector<std::optional<DocumentRow>> rows(1, document(5));
  const Seq asked[] = {9, 2, kMaxSeq, 1, 9};
  store_->documents(asked, rows);
  ASSERT_EQ(rows.size(), 5);
  EXPECT_TRUE(rows[0] && same(*rows[0], document(9)));
  EXPECT_FALSE(rows[1]);
  EXPECT_TRUE(rows[2] && same(*rows[2], without_sketch));
  EXPECT_TRUE(rows[3] && same(*rows[3], document(1)));
  EXPECT_TRUE(rows[4] && same(*rows[4], document(9)));
}

TEST_P(StoreContract, AnErasedDocumentIsGoneWithItsText) {
  WriteSet writes;
  writes.documents = {{document(1), "one"}, {document(2), "two"}};
  store_->commit(writes);
  writes.clear();
  writes.erase_documents = {1, 7};
  store_->commit(writes);
  EXPECT_FALSE(document_of(*store_, 1));
  EXPECT_EQ(store_->text(1), std::nullopt);
  EXPECT_TRUE(document_of(*store_, 2));
  EXPECT_EQ(store_->text(2), "two");
}

TEST_P(StoreContract, IdsOfAnyBytesAreKeptApart) {
  using namespace std::string_literals;
  const std::vector<IdKey> keys = {{"", "ab"},
                                   {"a", "b"},
                                   {"ab", ""},
                                   {"", "\0a"s},
                                   {"\0"s, "a"},
                                   {"\0a"s, ""},
                                   {"", "a"},
                                   {"",
                                    "\x01"
                                    "a"},
                                   {"\xff"s, ""},
                                   {"", "\xff"s},
                                   {"a\0"s, "b"},
                                   {"a", "\0b"s},
                                   {std::string(200, 'n'), "x"},
                                   {"", std::string(1024, 'i')}};
  WriteSet writes;
  for (const IdKey& key : keys) writes.ids.push_back({key, {.seq = writes.ids.size() + 1}});
  store_->commit(writes);
  std::vector<std::optional<IdRow>> rows;
  store_->ids(keys, rows);
  ASSERT_EQ(rows.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_TRUE(rows[i]) << i;
    EXPECT_EQ(rows[i]->seq, i + 1);
  }
  EXPECT_FALSE(id_of(*store_, {"b", "a"}));
  EXPECT_EQ(store_->stats().ids, keys.size());
}

TEST_P(StoreContract, AnIdRowComesBackWhole) {
  const IdRow row{.seq = kMaxSeq,
                  .time_ms = -5,
                  .content = {~std::uint64_t{0}, 1},
                  .kept = false,
                  .has_document = false,
                  .original = kMaxSeq - 1,
                  .similarity = 987'654};
  WriteSet writes;
  writes.ids = {{{"n", "i"}, row}, {{"n", "j"}, IdRow{}}};
  store_->commit(writes);
  EXPECT_TRUE(same(id_of(*store_, {"n", "i"}).value(), row));
  EXPECT_TRUE(same(id_of(*store_, {"n", "j"}).value(), IdRow{}));
}

TEST_P(StoreContract, TextsComeBackByteForByte) {
  const std::string zeros(100'000, '\0');
  WriteSet writes;
  writes.documents = {{document(1), ""}, {document(2), zeros}, {document(3), "a \xff b"}};
  store_->commit(writes);
  EXPECT_EQ(store_->text(1), "");
  EXPECT_EQ(store_->text(2), zeros);
  EXPECT_EQ(store_->text(3), "a \xff b");
  EXPECT_EQ(store_->text(4), std::nullopt);
}

TEST_P(StoreContract, TextsAreNotKeptUnlessAsked) {
  StorageOptions options = options_;
  options.path += "-without-texts";
  options.keep_texts = false;
  const auto store = open_store(options, OpenMode::kReadWrite);
  WriteSet writes;
  writes.documents = {{document(1), "text"}};
  store->commit(writes);
  EXPECT_TRUE(document_of(*store, 1));
  EXPECT_EQ(store->text(1), std::nullopt);
}

TEST_P(StoreContract, MetaIsFoundByNameAndByPrefix) {
  WriteSet writes;
  writes.meta = {
      {"input/b", "2"}, {"input/a", "1"}, {"inpuu", "x"}, {"input", "y"}, {"inpus", "z"}};
  store_->commit(writes);
  EXPECT_EQ(store_->meta("input/b"), "2");
  EXPECT_EQ(store_->meta("input/"), std::nullopt);
  EXPECT_THAT(store_->meta_with_prefix("input/"),
              ElementsAre(Pair("input/a", "1"), Pair("input/b", "2")));
  EXPECT_THAT(store_->meta_with_prefix("inputs"), IsEmpty());
  EXPECT_EQ(store_->meta_with_prefix("").size(), 5 + 2);  // with "format" and "uuid"
}

TEST_P(StoreContract, AnEmptyMetaValueErasesAndTheLastValueOfASetWins) {
  WriteSet writes;
  writes.meta = {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"c", "2"}};
  store_->commit(writes);
  writes.meta = {{"a", ""}, {"missing", ""}};
  store_->commit(writes);
  EXPECT_EQ(store_->meta("a"), std::nullopt);
  EXPECT_EQ(store_->meta("b"), "1");
  EXPECT_EQ(store_->meta("c"), "2");
}

TEST_P(StoreContract, EveryStateHasItsOwnUuid) {
  StorageOptions other = options_;
  other.path += "-other";
  const auto store = open_store(other, OpenMode::kReadWrite);
  ASSERT_TRUE(store->meta("uuid"));
  EXPECT_EQ(store->meta("uuid")->size(), 36);
  EXPECT_NE(store->meta("uuid"), store_->meta("uuid"));
  EXPECT_EQ(store->meta("format"), std::to_string(kFormatVersion));
}

TEST_P(StoreContract, CountsOfDocumentsAndIdsAreExact) {
  WriteSet writes;
  writes.documents = {{document(1), ""}, {document(2), ""}, {document(2), ""}, {document(3), ""}};
  writes.ids = {{{"", "a"}, {}}, {{"", "b"}, {}}, {{"", "a"}, {}}};
  writes.postings = {{{0, 1}, 1, 0}, {{0, 2}, 1, 0}};
  store_->commit(writes);
  EXPECT_EQ(store_->stats().documents, 3);
  EXPECT_EQ(store_->stats().ids, 2);
  EXPECT_EQ(store_->stats().postings, 2);
  store_->commit(writes);
  EXPECT_EQ(store_->stats().documents, 3);
  EXPECT_EQ(store_->stats().ids, 2);
  writes.clear();
  writes.erase_documents = {1, 1, 99};
  writes.erase_ids = {{"", "a"}, {"", "missing"}, {"", "c"}};
  writes.ids = {{{"", "c"}, {}}};
  store_->commit(writes);
  EXPECT_EQ(store_->stats().documents, 2);
  EXPECT_EQ(store_->stats().ids, 2);
}

TEST_P(StoreContract, CompactionChangesNothingThatCanBeRead) {
  const Bucket bucket{1, 1};
  WriteSet writes;
  for (Seq seq = 1; seq <= 100; ++seq) {
    writes.documents.push_back({document(seq), "text"});
    writes.postings.push_back({bucket, seq, 0});
  }
  store_->commit(writes);
  writes.clear();
  for (Seq seq = 1; seq <= 98; ++seq) {
    writes.erase_documents.push_back(seq);
    writes.erase_postings.push_back({bucket, seq, 0});
  }
  store_->commit(writes);
  store_->compact();
  EXPECT_THAT(postings_of(*store_, bucket).seqs, ElementsAre(99, 100));
  EXPECT_FALSE(document_of(*store_, 98));
  EXPECT_TRUE(same(document_of(*store_, 99).value(), document(99)));
  EXPECT_EQ(store_->text(100), "text");
  EXPECT_EQ(store_->stats().documents, 2);
}

TEST_P(StoreContract, CompactionDropsThePostingsOfDocumentsThatAreGone) {
  const Bucket bucket{1, 1};
  const Bucket content{kContentBand, 7};
  WriteSet writes;
  writes.documents = {{document(1), "text"}, {document(5000), "text"}};
  writes.postings = {{bucket, 1, 0}, {bucket, 2, 0}, {bucket, 5000, 0}, {content, 1, 0}};
  store_->commit(writes);
  writes.clear();
  writes.erase_documents = {1};
  store_->commit(writes);
  EXPECT_THAT(postings_of(*store_, bucket).seqs, ElementsAre(1, 2, 5000));
  store_->compact();
  EXPECT_THAT(postings_of(*store_, bucket).seqs, ElementsAre(5000));
  EXPECT_THAT(postings_of(*store_, content).seqs, IsEmpty());
  EXPECT_EQ(store_->stats().postings, 1);
}

TEST_P(StoreContract, AnEmptySetIsACommitToo) {
  store_->commit({});
  EXPECT_EQ(store_->stats().documents, 0);
}

}  // namespace
}  // namespace neardup::testing
