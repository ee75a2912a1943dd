// What every store promises of WriteSet::expired_before: what is older is gone, in one stroke.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store_under_test.h"

namespace neardup::testing::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StoreRetention : public ::testing::TestWithParam<StoreKind> {
 protected:
  // Documents 1 … 9 of one bucket, and a flagged id at 10 and at 20.
  StoreRetention() {
    WriteSet writes;
    for (Seq seq = 1; seq <= 9; ++seq) put(writes, document(seq, {7}), "text");
    for (const Seq seq : {10, 20}) writes.ids.emplace_back(flagged(seq), flagged_row(seq));
    store_->commit(writes);
  }

  static IdKey flagged(Seq seq) { return {"flagged", std::to_string(seq)}; }
  static IdRow flagged_row(Seq seq) {
    return {.seq = seq, .kept = false, .has_document = false, .original = 1};
  }
  void expire(Seq before) {
    WriteSet writes;
    writes.expired_before = before;
    store_->commit(writes);
  }
  void reopen() {
    store_.reset();
    store_ = open_indexed(options_);
  }
  bool has_id(Seq seq) {
    return id_of(*store_, seq < 10 ? id_key_of(document(seq)) : flagged(seq)).has_value();
  }

  // Nothing below `first` is there, all else is.
  void expect_begins_at(Seq first) {
    std::vector<Seq> documents;
    std::vector<Seq> aged;
    for (Seq seq : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20}) {
      const bool lives = seq >= first;
      const bool has_document = lives && seq < 10;
      if (lives) aged.push_back(seq);
      if (has_document) documents.push_back(seq);
      EXPECT_EQ(document_of(*store_, seq).has_value(), has_document) << seq;
      EXPECT_EQ(store_->text(seq).has_value(), has_document) << seq;
      EXPECT_EQ(has_id(seq), lives) << seq;
    }
    EXPECT_EQ(members(*store_, bucket(0, 7)), documents);
    std::vector<Seq> told;
    for (const Age& age : ages_of(*store_)) told.push_back(age.seq);
    EXPECT_EQ(told, aged);
    EXPECT_EQ(store_->size().documents, documents.size());
    EXPECT_EQ(store_->size().ids, aged.size());
  }

  ScratchDirectory scratch_;
  StorageOptions options_ = options_of(GetParam(), scratch_);
  std::unique_ptr<Store> store_ = open_indexed(options_);
};

INSTANTIATE_TEST_SUITE_P(All, StoreRetention, ::testing::ValuesIn(kStoreKinds),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(StoreRetention, DocumentsAndIdsBelowTheMarkAreGoneAndThoseAtItStay) {
  expire(4);
  expect_begins_at(4);
}

TEST_P(StoreRetention, SetsWithoutAMarkLeaveWhatIsGone) {
  expire(4);
  store_->commit({});
  expire(2);
  expect_begins_at(4);
  expire(10);
  expect_begins_at(10);
}

TEST_P(StoreRetention, AMarkBehindEverythingEndsEverything) {
  expire(21);
  EXPECT_THAT(ages_of(*store_), IsEmpty());
  EXPECT_EQ(store_->size().documents, 0);
  EXPECT_EQ(store_->size().ids, 0);
  put_all(*store_, {document(21, {7})});
  EXPECT_THAT(members(*store_, bucket(0, 7)), ElementsAre(21));
  EXPECT_EQ(store_->size().documents, 1);
}

TEST_P(StoreRetention, AnExpiredIdMayComeAgain) {
  DocumentRow again = document(30, {7});
  again.id = document(2).id;
  WriteSet writes;
  writes.expired_before = 3;
  put(writes, again);
  store_->commit(writes);
  EXPECT_EQ(id_of(*store_, id_key_of(again)).value().seq, 30);
  EXPECT_THAT(members(*store_, bucket(0, 7)), ElementsAre(3, 4, 5, 6, 7, 8, 9, 30));
  EXPECT_EQ(store_->size().ids, 11 - 2 + 1);
}

TEST_P(StoreRetention, WhatIsErasedAndExpiresInOneSetCountsOnce) {
  WriteSet writes;
  writes.expired_before = 4;
  erase(writes, document(2, {7}));
  store_->commit(writes);
  expect_begins_at(4);
}

TEST_P(StoreRetention, WhatWasErasedBeforeCountsOnce) {
  erase_all(*store_, {document(2, {7})});
  expire(4);
  expect_begins_at(4);
}

TEST_P(StoreRetention, CompactionAndLaterOpeningBringNothingBack) {
  expire(4);
  if (!GetParam().temporary) {
    reopen();
    expect_begins_at(4);
  }
  store_->compact();
  expect_begins_at(4);
  if (!GetParam().temporary) {
    reopen();
    expect_begins_at(4);
  }
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
