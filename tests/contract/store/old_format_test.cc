// States of older formats: refused with the way out, and taken over from the rows. The index of
// contents of format 2 knows no namespaces; format 3 has no copies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rocksdb_open.h"
#include "rocksdb_raw.h"
#include "storage/format.h"
#include "storage/stores.h"

namespace neardup::testing::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Seq kDocuments = 5'000;  // several generations of a rebuild

struct CutOff {};

class OldFormat : public RocksdbOpen {
 protected:
  OldFormat() {
    options_.memory = std::uint64_t{1} << 20;
    make_postings();
    change_to_old();
  }

  static std::uint64_t old_key(const DocumentRow& row) { return row.content.low; }

  void rebuild(Seq stop_at = kMaxSeq + 1) {
    const auto store = open_store(options_, OpenMode::kMigrate);
    ASSERT_EQ(has_current_format(*store), false);
    const auto progress = [&](Seq seq) {
      if (seq >= stop_at) throw CutOff();
    };
    try {
      store->rebuild_index(index_of, {{"rule", "the same"}}, progress);
    } catch (const CutOff&) {
    }
  }

 private:
  // Documents whose content is chosen so that this program puts them where format 2 puts those that
  // `change_to_old` makes of them: at the low word of their content.
  void make_postings() {
    const auto store = open();
    for (Seq first = 1; first <= kDocuments; first += 1'000) {
      WriteSet writes;
      for (Seq seq = first; seq < first + 1'000; ++seq) {
        DocumentRow row = document(seq);
        const Hash128 content = row.content;
        row.content.low = 0;
        row.content.low = content_bucket(row.content, row.name_space).key ^ old_key(document(seq));
        ASSERT_EQ(content_bucket(row.content, row.name_space).key, content.low);
        put(writes, row);
      }
      writes.meta = {{"rule", "the same"}};
      store->commit(writes);
    }
    store->compact();
  }

  void change_to_old() {
    with_family(options_.path, "docs", [](auto& database, auto* docs) {
      for (Seq seq = 1; seq <= kDocuments; ++seq) {
        const RowKey key = encode_row_key(seq);
        ASSERT_TRUE(database
                        .Put({}, docs, rocksdb::Slice(key.data(), key.size()),
                             encode_document(document(seq)))
                        .ok());
      }
    });
    with_family(options_.path, "meta", [](auto& database, auto* meta) {
      ASSERT_TRUE(database.Put({}, meta, "format", "2").ok());
    });
  }
};

TEST_F(OldFormat, IsRefusedWithBothVersionsAndTheWayToTakeItOver) {
  const auto says = AllOf(HasSubstr("has format version 2"), HasSubstr("writes version 4"),
                          HasSubstr("neardup migrate -c CONFIG --state " + options_.path));
  EXPECT_THAT(refusal(Exit::kConfig), says);
  EXPECT_THAT(refusal(Exit::kConfig, OpenMode::kReadOnly), says);
}

TEST_F(OldFormat, IsTakenOverFromItsRows) {
  {
    const auto old = open(OpenMode::kMigrate);
    EXPECT_FALSE(has_current_format(*old));
    const DocumentRow row = document(7);
    EXPECT_THAT(hints_of(*old, {kContentBand, old_key(row)}).seqs, ElementsAre(7));
    EXPECT_THAT(hints_of(*old, content_bucket(row.content, row.name_space)).seqs, IsEmpty())
        << "found already: nothing would be proved";
  }
  rebuild();
  for (const OpenMode mode : {OpenMode::kReadWrite, OpenMode::kReadOnly}) {
    const auto store = open(mode);
    EXPECT_TRUE(has_current_format(*store));
    EXPECT_EQ(store->meta("rule"), "the same");
    for (Seq seq = 1; seq <= kDocuments; seq += 97) {
      const DocumentRow row = document(seq);
      ASSERT_THAT(hints_of(*store, content_bucket(row.content, row.name_space)).seqs,
                  ElementsAre(seq));
      ASSERT_THAT(hints_of(*store, {kContentBand, old_key(row)}).seqs, IsEmpty());
      ASSERT_EQ(id_of(*store, id_key_of(row)).value_or(IdRow{}).seq, seq);
      ASSERT_THAT(members(*store, bucket(0, row.sketch[0])), ElementsAre(seq));
    }
  }
}

TEST_F(OldFormat, StaysRefusedUntilAllIsTakenOver) {
  rebuild(kDocuments / 2);
  EXPECT_THAT(refusal(Exit::kConfig), HasSubstr("has format version 2"));
  rebuild();
  const DocumentRow row = document(3);
  EXPECT_THAT(members(*open(), content_bucket(row.content, row.name_space)), ElementsAre(3));
}

class FormatWithoutCopies : public RocksdbOpen {
 protected:
  FormatWithoutCopies() {
    open()->commit(some_of_everything());
    with_family(options_.path, "copies", [](auto& database, auto* copies) {
      ASSERT_TRUE(database.DropColumnFamily(copies).ok());
    });
    with_family(options_.path, "meta", [](auto& database, auto* meta) {
      ASSERT_TRUE(database.Put({}, meta, "format", "3").ok());
    });
  }
};

TEST_F(FormatWithoutCopies, IsRefusedAndStaysAsItIs) {
  for (const OpenMode mode : {OpenMode::kReadWrite, OpenMode::kReadOnly}) {
    EXPECT_THAT(refusal(Exit::kConfig, mode),
                AllOf(HasSubstr("has format version 3"), HasSubstr("neardup migrate")));
  }
  with_database(options_.path, [](auto&, const Handles& handles) {
    for (auto* handle : handles) EXPECT_NE(handle->GetName(), "copies");
  });
}

TEST_F(FormatWithoutCopies, GetsTheCopiesThatItsRowsName) {
  open_store(options_, OpenMode::kMigrate)->rebuild_index(index_of, {}, [](Seq) {});
  const auto store = open();
  expect_some_of_everything(*store);
  EXPECT_THAT(seqs_of(store->copies(1, 0, 10)), ElementsAre(3));
  const auto groups = store->largest_groups(10);
  ASSERT_EQ(groups.size(), 1);
  EXPECT_EQ(groups[0].original.seq, 1);
  EXPECT_EQ(groups[0].copies, 1);
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
