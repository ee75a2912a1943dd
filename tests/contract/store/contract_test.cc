// What every store promises of its rows and values; postings_test.cc and retention_test.cc go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/base/failure.h"
#include "storage/stores.h"
#include "store_under_test.h"

namespace neardup::testing::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class StoreContract : public ::testing::TestWithParam<StoreKind> {
 protected:
  ScratchDirectory scratch_;
  StorageOptions options_ = options_of(GetParam(), scratch_);
  std::unique_ptr<Store> store_ = open_indexed(options_);
};

INSTANTIATE_TEST_SUITE_P(All, StoreContract, ::testing::ValuesIn(kStoreKinds),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(StoreContract, DocumentsComeBackWholeAndMissingOnesAsNothing) {
  DocumentRow without_sketch = document(300);
  without_sketch.id = std::string("\0\xff", 2);
  without_sketch.sketch.clear();
  put_all(*store_, {document(1), document(9), without_sketch});
  std::vector<std::optional<DocumentRow>> rows(1, document(5));
  const Seq asked[] = {9, 2, 300, 1, 9, kMaxSeq};
  store_->documents(asked, rows);
  ASSERT_EQ(rows.size(), 6);
  EXPECT_TRUE(rows[0] && same(*rows[0], document(9)));
  EXPECT_FALSE(rows[1]);
  EXPECT_TRUE(rows[2] && same(*rows[2], without_sketch));
  EXPECT_TRUE(rows[3] && same(*rows[3], document(1)));
  EXPECT_TRUE(rows[4] && same(*rows[4], document(9)));
  EXPECT_FALSE(rows[5]);
}

TEST_P(StoreContract, AnErasedDocumentIsGoneWithItsTextAndId) {
  WriteSet writes;
  put(writes, document(1), "one");
  put(writes, document(2), "two");
  store_->commit(writes);
  erase_all(*store_, {document(1)});
  EXPECT_FALSE(document_of(*store_, 1));
  EXPECT_EQ(store_->text(1), std::nullopt);
  EXPECT_FALSE(id_of(*store_, id_key_of(document(1))));
  EXPECT_TRUE(document_of(*store_, 2));
  EXPECT_EQ(store_->text(2), "two");
  EXPECT_TRUE(id_of(*store_, id_key_of(document(2))));
}

TEST_P(StoreContract, ANewVersionOfAnIdReplacesTheOldOneInOneSet) {
  DocumentRow old = document(1, {7});
  DocumentRow next = document(2, {7});
  old.id = next.id = "same";
  WriteSet writes;
  put(writes, old, "old text");
  store_->commit(writes);
  writes.clear();
  put(writes, next, "new text");
  erase(writes, old);
  store_->commit(writes);
  EXPECT_FALSE(document_of(*store_, 1));
  ASSERT_TRUE(id_of(*store_, id_key_of(next)));
  EXPECT_EQ(id_of(*store_, id_key_of(next))->seq, 2);
  EXPECT_EQ(store_->text(2), "new text");
  EXPECT_THAT(members(*store_, bucket(0, 7)), ElementsAre(2));
  EXPECT_EQ(store_->size().documents, 1);
  EXPECT_EQ(store_->size().ids, 1);
}

TEST_P(StoreContract, AnIdOfManyVersionsIsItsLastOne) {
  constexpr Seq kVersions = 100;
  const IdKey key{"n", "changes"};
  const auto version = [](Seq seq) {
    return IdRow{.seq = seq, .kept = false, .has_document = false};
  };
  for (Seq seq = 1; seq <= kVersions; ++seq) {
    WriteSet writes;
    if (seq > 1) writes.erase_ids.emplace_back(key, version(seq - 1));
    writes.ids.emplace_back(key, version(seq));
    store_->commit(writes);
    ASSERT_TRUE(id_of(*store_, key)) << seq;
    ASSERT_EQ(id_of(*store_, key)->seq, seq);
  }
  WriteSet writes;
  writes.erase_ids.emplace_back(key, version(kVersions));
  store_->commit(writes);
  EXPECT_FALSE(id_of(*store_, key));
  EXPECT_EQ(store_->size().ids, 0);
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
  for (const IdKey& key : keys) {
    writes.ids.emplace_back(key, IdRow{.seq = writes.ids.size() + 1, .has_document = false});
  }
  store_->commit(writes);
  std::vector<std::optional<IdRow>> rows;
  store_->ids(keys, rows);
  ASSERT_EQ(rows.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_TRUE(rows[i]) << i;
    EXPECT_EQ(rows[i]->seq, i + 1);
  }
  EXPECT_FALSE(id_of(*store_, {"b", "a"}));
  EXPECT_EQ(store_->size().ids, keys.size());
}

TEST_P(StoreContract, RowsOfEveryKindOfIdComeBackWhole) {
  const auto flagged = [](Seq seq, bool has_document) {
    return IdRow{.seq = seq,
                 .time_ms = -static_cast<std::int64_t>(seq),
                 .content = document(seq).content,
                 .kept = false,
                 .has_document = has_document,
                 .original = kMaxSeq - 1,
                 .similarity = 987'654};
  };
  const IdRow kept_without_document{.seq = 4, .time_ms = 5, .has_document = false};
  WriteSet writes;
  put(writes, document(1));
  put(writes, document(2));
  writes.ids.back().second = flagged(2, true);
  writes.ids.emplace_back(IdKey{"n", "3"}, flagged(3, false));
  writes.ids.emplace_back(IdKey{"n", "4"}, kept_without_document);
  store_->commit(writes);
  const auto is = [this](const IdKey& key, const IdRow& row) {
    const auto found = id_of(*store_, key);
    return found && same(*found, row);
  };
  EXPECT_TRUE(is(id_key_of(document(1)), id_row_of(document(1))));
  EXPECT_TRUE(is(id_key_of(document(2)), flagged(2, true)));
  EXPECT_TRUE(is({"n", "3"}, flagged(3, false)));
  EXPECT_TRUE(is({"n", "4"}, kept_without_document));
  EXPECT_FALSE(document_of(*store_, 3));
}

TEST_P(StoreContract, AnsweredIdsKeepTheOrderOfTheQuestion) {
  put_all(*store_, {document(1), document(2)});
  std::vector<std::optional<IdRow>> rows(9, IdRow{.seq = 77});
  const std::vector<IdKey> asked = {
      id_key_of(document(2)), {"", "none"}, id_key_of(document(1)), id_key_of(document(2))};
  store_->ids(asked, rows);
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(rows[0].value().seq, 2);
  EXPECT_FALSE(rows[1]);
  EXPECT_EQ(rows[2].value().seq, 1);
  EXPECT_EQ(rows[3].value().seq, 2);
}

TEST_P(StoreContract, SeqsMayJumpToTheLastOne) {
  put_all(*store_, {document(1, {7})});
  put_all(*store_, {document(kMaxSeq - 1, {7}), document(kMaxSeq, {7})});
  EXPECT_THAT(members(*store_, bucket(0, 7)), ElementsAre(1, kMaxSeq - 1, kMaxSeq));
  EXPECT_TRUE(same(document_of(*store_, kMaxSeq).value(), document(kMaxSeq, {7})));
  EXPECT_EQ(id_of(*store_, id_key_of(document(kMaxSeq))).value().seq, kMaxSeq);
  erase_all(*store_, {document(kMaxSeq)});
  EXPECT_THAT(members(*store_, bucket(0, 7)), ElementsAre(1, kMaxSeq - 1));
}

TEST_P(StoreContract, TextsComeBackByteForByte) {
  const std::string zeros(100'000, '\0');
  WriteSet writes;
  put(writes, document(1), "");
  put(writes, document(2), zeros);
  put(writes, document(3), "a \xff b");
  store_->commit(writes);
  EXPECT_EQ(store_->text(1), "");
  EXPECT_EQ(store_->text(2), zeros);
  EXPECT_EQ(store_->text(3), "a \xff b");
  EXPECT_EQ(store_->text(4), std::nullopt);
}

TEST_P(StoreContract, TextsAreNotKeptUnlessAsked) {
  StorageOptions options = options_;
  options.path += "-without-texts";
  options.keep_texts = KeepTexts::kNone;
  const auto store = open_indexed(options);
  WriteSet writes;
  put(writes, document(1), "text");
  store->commit(writes);
  EXPECT_TRUE(document_of(*store, 1));
  EXPECT_EQ(store->text(1), std::nullopt);
}

// A flagged id without a document.
void put_copy(WriteSet& writes, Seq seq, Seq original, std::string_view text = {}) {
  const IdRow row{.seq = seq, .kept = false, .has_document = false, .original = original};
  writes.ids.emplace_back(IdKey{"space", "copy " + std::to_string(seq)}, row);
  if (!text.empty()) writes.texts.emplace_back(seq, text);
}

TEST_P(StoreContract, ATextWithoutADocumentEndsWithItsId) {
  WriteSet writes;
  put(writes, document(1), "original");
  put_copy(writes, 2, 1, "copy");
  put_copy(writes, 3, 1, "other copy");
  store_->commit(writes);
  EXPECT_EQ(store_->text(2), "copy");
  WriteSet erases;
  erases.erase_ids = {writes.ids[1]};
  store_->commit(erases);
  EXPECT_EQ(store_->text(2), std::nullopt);
  EXPECT_EQ(store_->text(3), "other copy");
  erases.clear();
  erases.expired_before = 4;
  store_->commit(erases);
  EXPECT_EQ(store_->text(3), std::nullopt);
}

TEST_P(StoreContract, CopiesOfAnOriginalAreItsFlaggedIds) {
  WriteSet writes;
  for (const Seq seq : {1, 2, 3}) put(writes, document(seq));
  for (const Seq seq : {4, 5, 7}) put_copy(writes, seq, 2);
  put_copy(writes, 6, 1);
  store_->commit(writes);
  EXPECT_THAT(seqs_of(store_->copies(2, 0, 10)), ElementsAre(4, 5, 7));
  EXPECT_THAT(seqs_of(store_->copies(2, 5, 10)), ElementsAre(5, 7));
  EXPECT_THAT(seqs_of(store_->copies(2, 0, 2)), ElementsAre(4, 5));
  EXPECT_THAT(seqs_of(store_->copies(3, 0, 10)), IsEmpty());
  const auto [key, row] = store_->copies(1, 0, 10).at(0);
  EXPECT_EQ(key, (IdKey{"space", "copy 6"}));
  EXPECT_EQ(row.original, 1);
  WriteSet erases;
  erases.erase_ids = {writes.ids[4]};
  store_->commit(erases);
  EXPECT_THAT(seqs_of(store_->copies(2, 0, 10)), ElementsAre(4, 7));
}

TEST_P(StoreContract, TheLargestGroupsAreThoseOfLiveOriginals) {
  WriteSet writes;
  for (const Seq seq : {1, 2, 3, 4}) put(writes, document(seq));
  for (const Seq seq : {5, 6}) put_copy(writes, seq, 3);
  for (const Seq seq : {7, 8}) put_copy(writes, seq, 2);
  for (const Seq seq : {9, 10, 11}) put_copy(writes, seq, 4);
  put_copy(writes, 12, 1);
  store_->commit(writes);
  const auto largest = [&](std::size_t limit) {
    std::vector<std::pair<Seq, std::uint64_t>> groups;
    for (const DocumentGroup& group : store_->largest_groups(limit)) {
      groups.emplace_back(group.original.seq, group.copies);
    }
    return groups;
  };
  EXPECT_THAT(largest(10), ElementsAre(Pair(4, 3), Pair(2, 2), Pair(3, 2), Pair(1, 1)));
  EXPECT_THAT(largest(2), ElementsAre(Pair(4, 3), Pair(2, 2)));
  EXPECT_THAT(largest(0), IsEmpty());
  erase_all(*store_, {document(4)});
  EXPECT_THAT(largest(2), ElementsAre(Pair(2, 2), Pair(3, 2)));
  EXPECT_THAT(seqs_of(store_->copies(4, 0, 10)), ElementsAre(9, 10, 11)) << "they outlive it";
  WriteSet expires;
  expires.expired_before = 3;
  store_->commit(expires);
  EXPECT_THAT(largest(10), ElementsAre(Pair(3, 2)));
  EXPECT_THAT(store_->copies(2, 0, 10), IsEmpty());
}

TEST_P(StoreContract, MetaIsFoundByNameAndByPrefix) {
  const auto own = store_->meta_with_prefix("").size();
  WriteSet writes;
  writes.meta = {
      {"input/b", "2"}, {"input/a", "1"}, {"inpuu", "x"}, {"input", "y"}, {"inpus", "z"}};
  store_->commit(writes);
  EXPECT_EQ(store_->meta("input/b"), "2");
  EXPECT_EQ(store_->meta("input/"), std::nullopt);
  EXPECT_THAT(store_->meta_with_prefix("input/"),
              ElementsAre(Pair("input/a", "1"), Pair("input/b", "2")));
  EXPECT_THAT(store_->meta_with_prefix("inputs"), IsEmpty());
  EXPECT_EQ(store_->meta_with_prefix("").size(), 5 + own);
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
  for (const Seq seq : {1, 2, 3}) put(writes, document(seq));
  const IdRow flagged{.seq = 4, .has_document = false};
  writes.ids.emplace_back(IdKey{"", "flagged"}, flagged);
  store_->commit(writes);
  EXPECT_EQ(store_->size().documents, 3);
  EXPECT_EQ(store_->size().ids, 4);
  writes.clear();
  erase(writes, document(2));
  writes.erase_ids.emplace_back(IdKey{"", "flagged"}, flagged);
  put(writes, document(5));
  store_->commit(writes);
  EXPECT_EQ(store_->size().documents, 3);
  EXPECT_EQ(store_->size().ids, 3);
}

TEST_P(StoreContract, AgesTellOfEveryLiveDocumentAndIdOldestFirst) {
  WriteSet writes;
  writes.ids.emplace_back(IdKey{"", "flagged"},
                          IdRow{.seq = 6, .time_ms = 60, .kept = false, .has_document = false});
  put(writes, document(3));
  put(writes, document(5));
  writes.ids.back().second.kept = false;  // flagged, and yet a document
  put(writes, document(9));
  store_->commit(writes);
  const Age third{3, -3, 70'000};
  const Age fifth{5, -5, 70'000};
  const Age sixth{6, 60, 0};
  const Age ninth{9, -9, 70'000};
  EXPECT_EQ(ages_of(*store_), (std::vector{third, fifth, sixth, ninth}));
  EXPECT_EQ(ages_of(*store_, 3, 2), (std::vector{third, fifth}));
  EXPECT_EQ(ages_of(*store_, 4, 2), (std::vector{fifth, sixth}));
  EXPECT_EQ(ages_of(*store_, 6, 100), (std::vector{sixth, ninth}));
  EXPECT_THAT(ages_of(*store_, 10), IsEmpty());
  EXPECT_THAT(ages_of(*store_, 0, 0), IsEmpty());
  erase_all(*store_, {document(3)});
  EXPECT_EQ(ages_of(*store_, 0, 1), (std::vector{fifth}));
}

TEST_P(StoreContract, CompactionChangesNothingThatCanBeRead) {
  std::vector<DocumentRow> gone;
  WriteSet writes;
  for (Seq seq = 1; seq <= 100; ++seq) {
    put(writes, document(seq, {1}), "text");
    if (seq <= 98) gone.push_back(document(seq, {1}));
  }
  store_->commit(writes);
  erase_all(*store_, gone);
  store_->compact();
  EXPECT_THAT(members(*store_, bucket(0, 1)), ElementsAre(99, 100));
  EXPECT_FALSE(document_of(*store_, 98));
  EXPECT_TRUE(same(document_of(*store_, 99).value(), document(99, {1})));
  EXPECT_TRUE(id_of(*store_, id_key_of(document(99))));
  EXPECT_FALSE(id_of(*store_, id_key_of(document(98))));
  EXPECT_EQ(store_->text(100), "text");
  EXPECT_EQ(store_->size().documents, 2);
  EXPECT_EQ(store_->size().ids, 2);
}

TEST_P(StoreContract, AnEmptySetIsACommitToo) {
  store_->commit({});
  EXPECT_EQ(store_->size().documents, 0);
}

TEST_P(StoreContract, OnlyAStateOnDiskCanBeCopied) {
  put_all(*store_, {document(1, {7})});
  const std::string copy = scratch_.file("copy");
  if (GetParam().store == StoreName::kMemory) {
    EXPECT_THROW(store_->checkpoint(copy), Failure);
    return;
  }
  store_->checkpoint(copy);
  put_all(*store_, {document(2, {7})});
  StorageOptions options = options_;
  options.path = copy;
  const auto copied = open_indexed(options);
  EXPECT_THAT(members(*copied, bucket(0, 7)), ElementsAre(1));
  EXPECT_FALSE(document_of(*copied, 2));
  EXPECT_EQ(copied->meta("uuid"), store_->meta("uuid"));
  EXPECT_EQ(copied->size().documents, 1);
  EXPECT_THROW(store_->checkpoint(copy), Failure);  // is there already
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
