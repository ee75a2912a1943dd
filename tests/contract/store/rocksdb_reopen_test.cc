// What was committed and lies in no file of the index is indexed again when a state is opened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rocksdb_open.h"
#include "rocksdb_raw.h"
#include "storage/stores.h"

namespace neardup::testing::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

class RocksdbReopen : public RocksdbOpen {
 protected:
  // As a program that knows nothing of buckets: `stats`, `delete`.
  std::unique_ptr<Store> open_without_index(OpenMode mode = OpenMode::kReadWrite) {
    return open_store(options_, mode);
  }
};

TEST_F(RocksdbReopen, DocumentsAreFoundInTheirBuckets) {
  open()->commit(some_of_everything());
  for (int round = 0; round < 2; ++round) {
    const auto store = open();
    EXPECT_THAT(hints_of(*store, bucket(0, 7)).seqs, ElementsAre(1, 2));
    const std::uint64_t* bits = store->one_bit(2);
    ASSERT_NE(bits, nullptr);
    EXPECT_THAT(std::vector(bits, bits + 2), ElementsAreArray(index_of(document(2, {7})).one_bit));
  }
}

// 16 384 values, the most that a sketch may have.
IndexEntry index_with_long_sketch(const DocumentRow& row) {
  IndexEntry index = index_of(row);
  index.one_bit.resize(256, row.seq + 1);
  return index;
}

TEST_F(RocksdbReopen, TheLongestSketchesAreReadBack) {
  options_.memory = std::uint64_t{64} << 20;  // a run takes 8 MiB
  const auto open_long = [this] {
    auto store = open_without_index();
    store->set_index(index_with_long_sketch);
    return store;
  };
  {
    const auto store = open_long();
    WriteSet writes;
    put(writes, document(2));
    writes.documents[0].index = index_with_long_sketch(document(2));
    store->commit(writes);
    store->compact();
  }
  const auto store = open_long();
  const std::uint64_t* bits = store->one_bit(2);
  ASSERT_NE(bits, nullptr);
  EXPECT_THAT(std::vector(bits, bits + 256),
              ElementsAreArray(index_with_long_sketch(document(2)).one_bit));
}

TEST_F(RocksdbReopen, WhatHasEndedIsFoundNoMore) {
  open()->commit(some_of_everything());
  erase_all(*open(), {document(1, {7})});
  const auto store = open();
  EXPECT_THAT(members(*store, bucket(0, 7)), ElementsAre(2));
  EXPECT_THAT(members(*store, content_bucket(document(1).content, "space")), IsEmpty());
  EXPECT_FALSE(id_of(*store, id_key_of(document(1))));
}

void expect_no_rows(const std::string& path, const std::string& family) {
  with_family(path, family, [&](rocksdb::DB& database, rocksdb::ColumnFamilyHandle* handle) {
    const std::unique_ptr<rocksdb::Iterator> at(database.NewIterator({}, handle));
    at->SeekToFirst();
    EXPECT_FALSE(at->Valid()) << family;
  });
}

TEST_F(RocksdbReopen, NoRowStaysOfWhatHasEnded) {
  open()->commit(some_of_everything());
  open()->commit(all_of_it_erased());
  for (const char* family : {"docs", "ids", "texts"}) {
    expect_no_rows(scratch_.file("state"), family);
  }
}

TEST_F(RocksdbReopen, TextsThatARunBeforeKeptEndWithTheirDocuments) {
  open()->commit(some_of_everything());
  options_.keep_texts = KeepTexts::kNone;
  open()->commit(all_of_it_erased());
  expect_no_rows(scratch_.file("state"), "texts");
}

TEST_F(RocksdbReopen, LaterDocumentsJoinThoseOfBefore) {
  open()->commit(some_of_everything());
  const auto store = open();
  put_all(*store, {document(4, {7})});
  EXPECT_THAT(members(*store, bucket(0, 7)), ElementsAre(1, 2, 4));
}

TEST_F(RocksdbReopen, ANewVersionReplacesOneOfBefore) {
  open()->commit(some_of_everything());
  DocumentRow next = document(9, {8});
  next.id = document(1).id;
  WriteSet writes;
  erase(writes, document(1, {7}));
  put(writes, next);
  open()->commit(writes);
  const auto store = open();
  EXPECT_EQ(id_of(*store, id_key_of(next)).value_or(IdRow{}).seq, 9);
  EXPECT_THAT(members(*store, bucket(0, 7)), ElementsAre(2));
  EXPECT_THAT(members(*store, bucket(0, 8)), ElementsAre(9));
}

TEST_F(RocksdbReopen, IdsAndContentNeedNoIndexToBeMade) {
  open()->commit(some_of_everything());
  for (const OpenMode mode : {OpenMode::kReadWrite, OpenMode::kReadOnly}) {
    const auto store = open_without_index(mode);
    EXPECT_EQ(id_of(*store, id_key_of(document(1))).value_or(IdRow{}).seq, 1);
    EXPECT_EQ(id_of(*store, {"space", "flagged"}).value_or(IdRow{}).seq, 3);
    EXPECT_THAT(members(*store, content_bucket(document(2).content, "space")), ElementsAre(2));
    EXPECT_EQ(store->size().ids, 3);
  }
}

TEST_F(RocksdbReopen, WhatAProgramWithoutIndexChangesIsIndexedByTheNextOneWithIt) {
  open()->commit(some_of_everything());
  WriteSet writes;
  writes.erase_documents = {2};
  writes.erase_ids = {some_of_everything().ids[1]};
  open_without_index()->commit(writes);
  EXPECT_THAT(members(*open(), bucket(0, 7)), ElementsAre(1));
}

TEST_F(RocksdbReopen, TheIndexMayBeToldAfterIdsWereAskedFor) {
  open()->commit(some_of_everything());
  const auto store = open_without_index();
  EXPECT_TRUE(id_of(*store, id_key_of(document(1))));
  store->set_index(index_of);
  EXPECT_THAT(members(*store, bucket(0, 7)), ElementsAre(1, 2));
}

TEST_F(RocksdbReopen, TheIndexMayBeToldAfterACommit) {
  open()->commit(some_of_everything());
  const auto store = open_without_index();
  put_all(*store, {document(4, {7})});
  erase_all(*store, {document(2, {7})});
  store->set_index(index_of);
  EXPECT_THAT(members(*store, bucket(0, 7)), ElementsAre(1, 4));
}

TEST_F(RocksdbReopen, AReaderBesideAWriterFindsWhatWasCommittedBeforeItCame) {
  const auto writer = open();
  writer->commit(some_of_everything());
  const auto reader = open(OpenMode::kReadOnly);
  put_all(*writer, {document(4, {7})});
  expect_some_of_everything(*reader);
  EXPECT_THAT(members(*open(OpenMode::kReadOnly), bucket(0, 7)), ElementsAre(1, 2, 4));
}

TEST_F(RocksdbReopen, ManyRowsOfEveryKindAreAllIndexed) {
  constexpr Seq kRows = 20'000;  // more than are read at a time
  WriteSet writes;
  std::vector<Seq> documents;
  for (Seq seq = 1; seq <= kRows; ++seq) {
    if (seq % 3 == 0) {
      writes.ids.emplace_back(IdKey{"", std::to_string(seq)},
                              IdRow{.seq = seq, .kept = false, .has_document = false});
    } else {
      put(writes, document(seq, {7}));
      writes.ids.back().second.kept = seq % 3 == 1;
      documents.push_back(seq);
    }
  }
  open()->commit(writes);
  const auto store = open();
  EXPECT_EQ(hints_of(*store, bucket(0, 7), 0, kRows).seqs, documents);
  std::vector<IdKey> keys;
  for (const auto& [key, row] : writes.ids) keys.push_back(key);
  std::vector<std::optional<IdRow>> rows;
  store->ids(keys, rows);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_TRUE(rows[i] && same(*rows[i], writes.ids[i].second)) << i;
  }
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
