#include "pipeline/pending.h"

#include <gmock/gmock.h>

namespace neardup {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

DocumentPut document(Seq seq) {
  DocumentPut put;
  put.row.seq = seq;
  return put;
}

TEST(Pending, says_of_an_id_what_the_batch_said_last) {
  Pending pending;
  const IdKey key{"news", "a"};
  IdRow row;
  EXPECT_EQ(pending.find_id(key, row), Pending::Id::kUntouched);
  pending.put_id(key, {.seq = 7});
  EXPECT_EQ(pending.find_id(key, row), Pending::Id::kPut);
  EXPECT_EQ(row.seq, 7u);
  pending.erase_id(key);
  EXPECT_EQ(pending.find_id(key, row), Pending::Id::kErased);
  pending.put_id(key, {.seq = 9});
  EXPECT_EQ(pending.find_id(key, row), Pending::Id::kPut);
  EXPECT_EQ(row.seq, 9u);
  EXPECT_EQ(pending.find_id({"", "a"}, row), Pending::Id::kUntouched);
}

std::vector<Seq> seqs_of(const Pending& pending, const Bucket& bucket, std::size_t most = 100) {
  std::vector<Seq> seqs;
  pending.visit_bucket(bucket, [&](Seq seq) {
    seqs.push_back(seq);
    return seqs.size() < most;
  });
  return seqs;
}

TEST(Pending, a_bucket_lists_its_seqs_oldest_first) {
  Pending pending;
  const Bucket bucket{1, 77};
  pending.add(document(3), {{bucket, 3}, {{2, 77}, 3}});
  pending.add(document(4), {{bucket, 4}});
  pending.add(document(5), {{bucket, 5}});
  pending.end_pending(4);
  EXPECT_THAT(seqs_of(pending, bucket), ElementsAre(3, 4, 5));
  EXPECT_THAT(seqs_of(pending, bucket, 2), ElementsAre(3, 4));
  EXPECT_THAT(seqs_of(pending, {3, 77}), IsEmpty());
  EXPECT_EQ(pending.bucket_size(bucket), 3u);
  EXPECT_EQ(pending.bucket_size({3, 77}), 0u);
}

TEST(Pending, a_document_that_came_and_went_is_not_written) {
  Pending pending;
  pending.add(document(3), {{{0, 1}, 3}});
  pending.add(document(4), {{{0, 1}, 4}});
  pending.end_pending(3);
  EXPECT_EQ(pending.document(3), nullptr);
  ASSERT_NE(pending.document(4), nullptr);
  WriteSet writes;
  pending.fill(writes);
  ASSERT_EQ(writes.documents.size(), 1u);
  EXPECT_EQ(writes.documents[0].row.seq, 4u);
  ASSERT_EQ(writes.postings.size(), 1u);
  EXPECT_EQ(writes.postings[0].seq, 4u);
  EXPECT_THAT(writes.erase_documents, IsEmpty());
}

TEST(Pending, stored_documents_that_end_are_erased_with_their_postings) {
  Pending pending;
  pending.end_stored(9, {{{0, 1}, 9}, {{1, 2}, 9}});
  pending.end_stored(2, {{{0, 3}, 2}});
  EXPECT_TRUE(pending.ended(9));
  EXPECT_FALSE(pending.ended(3));
  WriteSet writes;
  pending.fill(writes);
  EXPECT_THAT(writes.erase_documents, ElementsAre(2, 9));
  EXPECT_EQ(writes.erase_postings.size(), 3u);
}

TEST(Pending, an_id_is_erased_or_written_never_both) {
  Pending pending;
  pending.put_id({"", "kept"}, {.seq = 1});
  pending.put_id({"", "gone"}, {.seq = 2});
  pending.erase_id({"", "gone"});
  WriteSet writes;
  pending.fill(writes);
  ASSERT_EQ(writes.ids.size(), 1u);
  EXPECT_EQ(writes.ids[0].first.id, "kept");
  ASSERT_EQ(writes.erase_ids.size(), 1u);
  EXPECT_EQ(writes.erase_ids[0].id, "gone");
}

TEST(Pending, knows_nothing_after_clear) {
  Pending pending;
  pending.put_id({"", "a"}, {.seq = 1});
  pending.add(document(1), {{{0, 1}, 1}});
  pending.end_stored(9, {{{0, 1}, 9}});
  pending.clear();
  WriteSet writes;
  pending.fill(writes);
  EXPECT_THAT(writes.ids, IsEmpty());
  EXPECT_THAT(writes.documents, IsEmpty());
  EXPECT_THAT(writes.erase_documents, IsEmpty());
  EXPECT_FALSE(pending.ended(9));
}

}  // namespace
}  // namespace neardup
