#include "pipeline/pending.h"

#include <gmock/gmock.h>

namespace neardup {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

// In bucket buckets[m] of band m.
DocumentPut document(Seq seq, std::vector<std::uint64_t> buckets = {}) {
  DocumentPut put;
  put.row.seq = seq;
  put.row.content = {100 + seq, 0};
  put.index.buckets = std::move(buckets);
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

std::vector<Seq> seqs_of(Pending& pending, const Bucket& bucket, std::size_t most = 100) {
  std::vector<Seq> seqs;
  pending.visit_bucket(bucket, [&](const Candidate& candidate) {
    seqs.push_back(candidate.seq);
    return seqs.size() < most;
  });
  return seqs;
}

TEST(Pending, a_bucket_lists_its_live_seqs_oldest_first) {
  Pending pending;
  const Bucket bucket{1, 77};
  pending.add(document(3, {1, 77}));
  pending.add(document(4, {77, 77}));
  pending.add(document(5, {2, 77}));
  EXPECT_THAT(seqs_of(pending, bucket), ElementsAre(3, 4, 5));
  EXPECT_THAT(seqs_of(pending, bucket, 2), ElementsAre(3, 4));
  EXPECT_THAT(seqs_of(pending, {0, 77}), ElementsAre(4));
  EXPECT_THAT(seqs_of(pending, {3, 77}), IsEmpty());
  EXPECT_EQ(pending.bucket_size(bucket), 3u);
  EXPECT_EQ(pending.bucket_size({3, 77}), 0u);
  pending.end_pending(4);
  EXPECT_THAT(seqs_of(pending, bucket), ElementsAre(3, 5));
  EXPECT_THAT(seqs_of(pending, {0, 77}), IsEmpty());
  EXPECT_EQ(pending.bucket_size(bucket), 2u);
  pending.add(document(6, {1, 77}));
  EXPECT_THAT(seqs_of(pending, bucket), ElementsAre(3, 5, 6));
  EXPECT_THAT(seqs_of(pending, {0, 77}), IsEmpty());
}

TEST(Pending, buckets_of_many_documents_are_kept_apart) {
  Pending pending;
  constexpr Seq kDocuments = 20'000;
  for (Seq seq = 1; seq <= kDocuments; ++seq) pending.add(document(seq, {seq, seq / 2, 7}));
  for (Seq seq = 2; seq < kDocuments; seq += 997) {
    EXPECT_THAT(seqs_of(pending, {0, seq}), ElementsAre(seq));
    EXPECT_THAT(seqs_of(pending, {1, seq / 2}), ElementsAre(seq / 2 * 2, seq / 2 * 2 + 1));
  }
  EXPECT_EQ(seqs_of(pending, {2, 7}, kDocuments + 1).size(), kDocuments);
  pending.clear();
  EXPECT_THAT(seqs_of(pending, {2, 7}), IsEmpty());
  EXPECT_EQ(pending.bucket_size({0, 5}), 0u);
}

TEST(Pending, a_large_bucket_forgets_those_that_end_wherever_they_stand) {
  Pending pending;
  constexpr Seq kDocuments = 60;
  std::vector<Seq> wanted;
  for (Seq seq = 1; seq <= kDocuments; ++seq) {
    pending.add(document(seq, {7}));
    if (seq % 5 == 0 || seq < 20 || (seq > 30 && seq < 50)) {
      pending.end_pending(seq);
    } else {
      wanted.push_back(seq);
    }
    ASSERT_THAT(seqs_of(pending, {0, 7}), testing::ElementsAreArray(wanted)) << seq;
    ASSERT_EQ(pending.bucket_size({0, 7}), wanted.size()) << seq;
  }
}

TEST(Pending, knows_the_sketches_of_its_live_documents) {
  Pending pending;
  DocumentPut put = document(3, {1});
  put.row.sketch = {11, 12};
  put.index.one_bit = {13};
  pending.add(std::move(put));
  for (Seq seq = 4; seq < 100; ++seq) pending.add(document(seq));
  const Candidate* candidate = pending.candidate(3);
  ASSERT_NE(candidate, nullptr);
  EXPECT_EQ(candidate->seq, 3u);
  EXPECT_EQ(candidate->sketch[1], 12u);
  EXPECT_EQ(candidate->one_bit[0], 13u);
  EXPECT_EQ(pending.candidate(2), nullptr);
  pending.end_pending(3);
  EXPECT_EQ(pending.candidate(3), nullptr);
}

TEST(Pending, a_document_is_in_the_bucket_of_its_content) {
  Pending pending;
  pending.add(document(3));
  DocumentPut copy = document(4);
  copy.row.content = {103, 9};  // agrees in the low word
  pending.add(std::move(copy));
  pending.add(document(5));
  EXPECT_THAT(seqs_of(pending, content_bucket({103, 0})), ElementsAre(3, 4));
}

TEST(Pending, a_document_that_came_and_went_is_not_written) {
  Pending pending;
  pending.add(document(3, {1}));
  pending.add(document(4, {1}));
  pending.end_pending(3);
  EXPECT_EQ(pending.document(3), nullptr);
  ASSERT_NE(pending.document(4), nullptr);
  WriteSet writes;
  pending.fill(writes);
  ASSERT_EQ(writes.documents.size(), 1u);
  EXPECT_EQ(writes.documents[0].row.seq, 4u);
  EXPECT_THAT(writes.documents[0].index.buckets, ElementsAre(1));
  EXPECT_THAT(writes.erase_documents, IsEmpty());
}

TEST(Pending, documents_are_written_in_the_order_of_their_seqs) {
  Pending pending;
  for (const Seq seq : {3, 8, 9, 20}) pending.add(document(seq));
  pending.end_pending(8);
  WriteSet writes;
  pending.fill(writes);
  std::vector<Seq> seqs;
  for (const DocumentPut& put : writes.documents) seqs.push_back(put.row.seq);
  EXPECT_THAT(seqs, ElementsAre(3, 9, 20));
}

TEST(Pending, stored_documents_that_end_are_erased) {
  Pending pending;
  pending.end_stored(9);
  pending.end_stored(2);
  EXPECT_TRUE(pending.ended(9));
  EXPECT_FALSE(pending.ended(3));
  WriteSet writes;
  pending.fill(writes);
  EXPECT_THAT(writes.erase_documents, ElementsAre(2, 9));
}

TEST(Pending, only_an_id_of_the_store_is_erased_and_only_one_that_lives_is_written) {
  Pending pending;
  pending.put_id({"", "kept"}, {.seq = 11});
  pending.put_id({"", "came and went"}, {.seq = 12});
  pending.erase_id({"", "came and went"});
  pending.end_stored_id({"", "gone"}, 2);
  pending.erase_id({"", "gone"});
  pending.end_stored_id({"", "changed"}, 3);
  pending.put_id({"", "changed"}, {.seq = 13});
  WriteSet writes;
  pending.fill(writes);
  std::vector<Seq> put;
  for (const auto& [key, row] : writes.ids) put.push_back(row.seq);
  EXPECT_THAT(put, UnorderedElementsAre(11, 13));
  EXPECT_THAT(writes.erase_ids, UnorderedElementsAre(Pair(IdKey{"", "gone"}, Seq{2}),
                                                     Pair(IdKey{"", "changed"}, Seq{3})));
}

TEST(Pending, what_expired_is_gone_for_good) {
  Pending pending;
  IdRow row;
  pending.add(document(3));
  pending.add(document(4));
  pending.put_id({"", "old"}, {.seq = 3});
  pending.put_id({"", "new"}, {.seq = 4});
  pending.expire(4);
  EXPECT_EQ(pending.document(3), nullptr);
  EXPECT_NE(pending.document(4), nullptr);
  EXPECT_EQ(pending.find_id({"", "old"}, row), Pending::Id::kErased);
  EXPECT_EQ(pending.find_id({"", "new"}, row), Pending::Id::kPut);
  EXPECT_TRUE(pending.ended(2));
  WriteSet writes;
  pending.fill(writes);
  EXPECT_EQ(writes.expired_before, 4u);
  ASSERT_EQ(writes.documents.size(), 1u);
  EXPECT_EQ(writes.documents[0].row.seq, 4u);
  ASSERT_EQ(writes.ids.size(), 1u);
  EXPECT_EQ(writes.ids[0].second.seq, 4u);
  pending.clear();
  EXPECT_TRUE(pending.ended(3));
  EXPECT_FALSE(pending.ended(4));
}

TEST(Pending, knows_nothing_after_clear) {
  Pending pending;
  pending.put_id({"", "a"}, {.seq = 1});
  pending.add(document(1, {1}));
  pending.end_stored(9);
  pending.end_stored_id({"", "b"}, 9);
  pending.clear();
  WriteSet writes;
  pending.fill(writes);
  EXPECT_THAT(writes.ids, IsEmpty());
  EXPECT_THAT(writes.erase_ids, IsEmpty());
  EXPECT_THAT(writes.documents, IsEmpty());
  EXPECT_THAT(writes.erase_documents, IsEmpty());
  EXPECT_THAT(seqs_of(pending, {0, 1}), IsEmpty());
  EXPECT_FALSE(pending.ended(9));
}

}  // namespace
}  // namespace neardup
