#include "storage/index/one_bit/namespace_tags.h"

#include <gmock/gmock.h>
#include <rocksdb/write_batch.h>

#include "storage/format.h"
#include "storage/store.h"
#include "tests/unit/storage/index/state_on_disk.h"

namespace neardup::TEST_FILE {
namespace {

RunTags some_tags(std::initializer_list<NamespaceTag> tags) {
  RunTags all{};
  for (std::size_t i = 0; i < kRunSeqs; i += 5) all[i] = std::data(tags)[i % tags.size()];
  return all;
}

TEST(NamespaceTagTest, DiffersBetweenNamespacesAndIsNeverNone) {
  EXPECT_EQ(namespace_tag("a"), namespace_tag("a"));
  EXPECT_NE(namespace_tag("a"), namespace_tag("b"));
  for (int i = 0; i < 200'000; ++i) ASSERT_NE(namespace_tag(std::to_string(i)), 0) << i;
}

TEST(NamespaceTagsTest, ComeBackAsTheyWere) {
  RunTags last{};
  last.back() = 7;
  for (const RunTags& tags : {RunTags{}, some_tags({3}), some_tags({3, 9, 0xffff}), last}) {
    EXPECT_EQ(decode_tags(encode_tags(tags)), tags);
  }
}

TEST(NamespaceTagsTest, OneNamespaceTakesABitASeq) {
  EXPECT_EQ(encode_tags({}).size(), 1);
  EXPECT_EQ(encode_tags(some_tags({3})).size(), 3 + kRunSeqs / 8);
  EXPECT_EQ(encode_tags(some_tags({3, 4})).size(), 1 + kRunSeqs * 2);
}

TEST(NamespaceTagsTest, NothingElseIsDecoded) {
  const std::string one = encode_tags(some_tags({3}));
  const std::string several = encode_tags(some_tags({3, 4}));
  std::string none_of_a_tag = one;
  std::fill(none_of_a_tag.begin() + 3, none_of_a_tag.end(), '\0');
  std::string one_as_several(1, '\2');
  for (const NamespaceTag tag : some_tags({3})) {
    one_as_several += static_cast<char>(tag);
    one_as_several += '\0';
  }
  for (const std::string& value : {std::string(), std::string("\3"), one + '\0', one.substr(1),
                                   several.substr(0, 99), none_of_a_tag, one_as_several}) {
    EXPECT_FALSE(decode_tags(value)) << value.size();
  }
}

class StoredTagsTest : public StateOnDisk {
 protected:
  void put_document(Seq seq, const std::string& name_space, std::vector<std::uint64_t> sketch) {
    DocumentRow row;
    row.seq = seq;
    row.id = "id";
    row.name_space = name_space;
    row.sketch = std::move(sketch);
    const RowKey key = encode_row_key(seq);
    ASSERT_TRUE(state_.db()
                    .Put({}, state_.family(Family::kDocs), as_slice(key), encode_document(row))
                    .ok());
  }
  void write(rocksdb::WriteBatch& batch) { ASSERT_TRUE(state_.db().Write({}, &batch).ok()); }
};

TEST_F(StoredTagsTest, RunsWithoutStoredTagsHaveThoseOfTheirRows) {
  put_document(5, "a", {1});
  put_document(6, "b", {1});
  put_document(7, "a", {});
  put_document(kRunSeqs + 1, "b", {1});
  RunTags wanted{};
  wanted[5] = namespace_tag("a");
  wanted[6] = namespace_tag("b");
  EXPECT_EQ(read_tags(state_, 0), wanted);
}

TEST_F(StoredTagsTest, AreReadAsOfASnapshot) {
  rocksdb::WriteBatch first;
  put_tags(state_, 3, some_tags({1}), first);
  write(first);
  const rocksdb::Snapshot* before = state_.db().GetSnapshot();
  rocksdb::WriteBatch second;
  put_tags(state_, 3, some_tags({2}), second);
  write(second);
  EXPECT_EQ(read_tags(state_, 3), some_tags({2}));
  EXPECT_EQ(read_tags(state_, 3, before), some_tags({1}));
  state_.db().ReleaseSnapshot(before);
}

TEST_F(StoredTagsTest, OfExpiredRunsAreErased) {
  rocksdb::WriteBatch batch;
  for (std::uint64_t run = 0; run < 3; ++run) put_tags(state_, run, some_tags({1}), batch);
  erase_tags(state_, kRunSeqs + 100, batch);
  write(batch);
  EXPECT_EQ(read_tags(state_, 0), RunTags{});
  EXPECT_EQ(read_tags(state_, 1), some_tags({1}));
  EXPECT_EQ(read_tags(state_, 2), some_tags({1}));
}

}  // namespace
}  // namespace neardup::TEST_FILE
