#include "pipeline/match/pending.h"

#include <gmock/gmock.h>

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::Field;
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

class PendingTest : public testing::Test {
 protected:
  void end(Seq seq) { tombstones_.add({.seq = seq}); }

  Tombstones tombstones_;
  Pending pending_{tombstones_};
};

TEST_F(PendingTest, says_of_an_id_what_the_batch_said_last) {
  const IdKey key{"news", "a"};
  IdRow row;
  EXPECT_EQ(pending_.find_id(key, row), Pending::Id::kUntouched);
  pending_.put_id(key, {.seq = 7});
  EXPECT_EQ(pending_.find_id(key, row), Pending::Id::kPut);
  EXPECT_EQ(row.seq, 7u);
  pending_.erase_id(key);
  EXPECT_EQ(pending_.find_id(key, row), Pending::Id::kErased);
  pending_.put_id(key, {.seq = 9});
  EXPECT_EQ(pending_.find_id(key, row), Pending::Id::kPut);
  EXPECT_EQ(row.seq, 9u);
  EXPECT_EQ(pending_.find_id({"", "a"}, row), Pending::Id::kUntouched);
}

TEST_F(PendingTest, ids_of_many_records_are_kept_apart_and_written_in_their_order) {
  constexpr Seq kRecords = 20'000;
  const auto key = [](Seq seq) { return IdKey{seq % 3 == 0 ? "news" : "", std::to_string(seq)}; };
  for (Seq seq = 1; seq <= kRecords; ++seq) pending_.put_id(key(seq), {.seq = seq});
  pending_.erase_id(key(2));
  pending_.put_id(key(3), {.seq = kRecords + 1});
  for (Seq seq = 4; seq <= kRecords; ++seq) {
    IdRow row;
    ASSERT_EQ(pending_.find_id(key(seq), row), Pending::Id::kPut) << seq;
    ASSERT_EQ(row.seq, seq);
  }
  WriteSet writes;
  pending_.fill(writes);
  ASSERT_EQ(writes.ids.size(), kRecords - 1);
  EXPECT_EQ(writes.ids[1].second.seq, kRecords + 1);
  EXPECT_EQ(writes.ids[2].first, key(4));
  pending_.clear();
  IdRow row;
  EXPECT_EQ(pending_.find_id(key(4), row), Pending::Id::kUntouched);
}

std::vector<Seq> seqs_of(Pending& pending, const Bucket& bucket, std::size_t most = 100) {
  std::vector<Seq> seqs;
  pending.visit_bucket(bucket, [&](const Candidate& candidate) {
    seqs.push_back(candidate.seq);
    return seqs.size() < most;
  });
  return seqs;
}

TEST_F(PendingTest, a_bucket_lists_its_live_seqs_oldest_first) {
  const Bucket bucket{1, 77};
  pending_.add(document(3, {1, 77}));
  pending_.add(document(4, {77, 77}));
  pending_.add(document(5, {2, 77}));
  EXPECT_THAT(seqs_of(pending_, bucket), ElementsAre(3, 4, 5));
  EXPECT_THAT(seqs_of(pending_, bucket, 2), ElementsAre(3, 4));
  EXPECT_THAT(seqs_of(pending_, {0, 77}), ElementsAre(4));
  EXPECT_THAT(seqs_of(pending_, {3, 77}), IsEmpty());
  EXPECT_EQ(pending_.bucket_size(bucket), 3u);
  EXPECT_EQ(pending_.bucket_size({3, 77}), 0u);
  end(4);
  EXPECT_THAT(seqs_of(pending_, bucket), ElementsAre(3, 5));
  EXPECT_THAT(seqs_of(pending_, {0, 77}), IsEmpty());
  EXPECT_EQ(pending_.bucket_size(bucket), 2u);
  pending_.add(document(6, {1, 77}));
  EXPECT_THAT(seqs_of(pending_, bucket), ElementsAre(3, 5, 6));
  EXPECT_THAT(seqs_of(pending_, {0, 77}), IsEmpty());
}

TEST_F(PendingTest, buckets_of_many_documents_are_kept_apart) {
  constexpr Seq kDocuments = 20'000;
  for (Seq seq = 1; seq <= kDocuments; ++seq) pending_.add(document(seq, {seq, seq / 2, 7}));
  for (Seq seq = 2; seq < kDocuments; seq += 997) {
    EXPECT_THAT(seqs_of(pending_, {0, seq}), ElementsAre(seq));
    EXPECT_THAT(seqs_of(pending_, {1, seq / 2}), ElementsAre(seq / 2 * 2, seq / 2 * 2 + 1));
  }
  EXPECT_EQ(seqs_of(pending_, {2, 7}, kDocuments + 1).size(), kDocuments);
  pending_.clear();
  EXPECT_THAT(seqs_of(pending_, {2, 7}), IsEmpty());
  EXPECT_EQ(pending_.bucket_size({0, 5}), 0u);
}

TEST_F(PendingTest, a_large_bucket_forgets_those_that_end_wherever_they_stand) {
  constexpr Seq kDocuments = 60;
  std::vector<Seq> wanted;
  for (Seq seq = 1; seq <= kDocuments; ++seq) {
    pending_.add(document(seq, {7}));
    if (seq % 5 == 0 || seq < 20 || (seq > 30 && seq < 50)) {
      end(seq);
    } else {
      wanted.push_back(seq);
    }
    ASSERT_THAT(seqs_of(pending_, {0, 7}), testing::ElementsAreArray(wanted)) << seq;
    ASSERT_EQ(pending_.bucket_size({0, 7}), wanted.size()) << seq;
  }
}

TEST_F(PendingTest, knows_the_sketches_of_its_live_documents) {
  DocumentPut put = document(3, {1});
  put.row.sketch = {11, 12};
  put.index.one_bit = {13};
  pending_.add(std::move(put));
  for (Seq seq = 4; seq < 100; ++seq) pending_.add(document(seq));
  const Candidate* candidate = pending_.candidate(3);
  ASSERT_NE(candidate, nullptr);
  EXPECT_EQ(candidate->seq, 3u);
  EXPECT_EQ(candidate->sketch[1], 12u);
  EXPECT_EQ(candidate->one_bit[0], 13u);
  EXPECT_EQ(pending_.candidate(2), nullptr);
  end(3);
  EXPECT_EQ(pending_.candidate(3), nullptr);
}

TEST_F(PendingTest, a_document_is_in_the_bucket_of_its_content) {
  pending_.add(document(3));
  DocumentPut copy = document(4);
  copy.row.content = {103, 9};  // agrees in the low word
  pending_.add(std::move(copy));
  pending_.add(document(5));
  EXPECT_THAT(seqs_of(pending_, content_bucket({103, 0}, "")), ElementsAre(3, 4));
}

TEST_F(PendingTest, a_document_that_came_and_went_is_not_written) {
  pending_.add(document(3, {1}));
  pending_.add(document(4, {1}));
  end(3);
  EXPECT_EQ(pending_.document(3), nullptr);
  ASSERT_NE(pending_.document(4), nullptr);
  WriteSet writes;
  pending_.fill(writes);
  ASSERT_EQ(writes.documents.size(), 1u);
  EXPECT_EQ(writes.documents[0].row.seq, 4u);
  EXPECT_THAT(writes.documents[0].index.buckets, ElementsAre(1));
  EXPECT_THAT(writes.erase_documents, IsEmpty());
}

TEST_F(PendingTest, documents_are_written_in_the_order_of_their_seqs) {
  for (const Seq seq : {3, 8, 9, 20}) pending_.add(document(seq));
  end(8);
  WriteSet writes;
  pending_.fill(writes);
  std::vector<Seq> seqs;
  for (const DocumentPut& put : writes.documents) seqs.push_back(put.row.seq);
  EXPECT_THAT(seqs, ElementsAre(3, 9, 20));
}

TEST_F(PendingTest, stored_documents_that_end_are_erased) {
  end(9);
  end(2);
  EXPECT_TRUE(tombstones_.ended(9));
  EXPECT_FALSE(tombstones_.ended(3));
  WriteSet writes;
  pending_.fill(writes);
  EXPECT_THAT(writes.erase_documents, ElementsAre(2, 9));
}

TEST_F(PendingTest, what_a_command_erases_is_not_erased_again) {
  tombstones_.add({.seq = 9, .erased_by = ErasedBy::kCommand});
  EXPECT_TRUE(tombstones_.ended(9));
  WriteSet writes;
  pending_.fill(writes);
  EXPECT_THAT(writes.erase_documents, IsEmpty());
}

TEST_F(PendingTest, only_an_id_of_the_store_is_erased_and_only_one_that_lives_is_written) {
  pending_.put_id({"", "kept"}, {.seq = 11});
  pending_.put_id({"", "came and went"}, {.seq = 12});
  pending_.end_version({"", "came and went"}, {.seq = 12});
  pending_.erase_id({"", "came and went"});
  pending_.end_version({"", "gone"}, {.seq = 2});
  pending_.erase_id({"", "gone"});
  pending_.end_version({"", "changed"}, {.seq = 3});
  pending_.put_id({"", "changed"}, {.seq = 13});
  WriteSet writes;
  pending_.fill(writes);
  std::vector<Seq> put;
  for (const auto& [key, row] : writes.ids) put.push_back(row.seq);
  EXPECT_THAT(put, UnorderedElementsAre(11, 13));
  EXPECT_THAT(writes.erase_ids,
              UnorderedElementsAre(Pair(IdKey{"", "gone"}, Field(&IdRow::seq, 2)),
                                   Pair(IdKey{"", "changed"}, Field(&IdRow::seq, 3))));
}

TEST_F(PendingTest, what_expired_is_gone_for_good) {
  IdRow row;
  pending_.add(document(3));
  pending_.add(document(4));
  pending_.put_id({"", "old"}, {.seq = 3});
  pending_.put_id({"", "new"}, {.seq = 4});
  tombstones_.expire(4);
  EXPECT_EQ(pending_.document(3), nullptr);
  EXPECT_NE(pending_.document(4), nullptr);
  EXPECT_EQ(pending_.find_id({"", "old"}, row), Pending::Id::kErased);
  EXPECT_EQ(pending_.find_id({"", "new"}, row), Pending::Id::kPut);
  EXPECT_TRUE(tombstones_.ended(2));
  WriteSet writes;
  pending_.fill(writes);
  EXPECT_EQ(writes.expired_before, 4u);
  ASSERT_EQ(writes.documents.size(), 1u);
  EXPECT_EQ(writes.documents[0].row.seq, 4u);
  ASSERT_EQ(writes.ids.size(), 1u);
  EXPECT_EQ(writes.ids[0].second.seq, 4u);
  pending_.clear();
  tombstones_.committed();
  EXPECT_TRUE(tombstones_.ended(3));
  EXPECT_FALSE(tombstones_.ended(4));
}

TEST_F(PendingTest, knows_nothing_after_clear) {
  pending_.put_id({"", "a"}, {.seq = 1});
  pending_.add(document(1, {1}));
  end(9);
  pending_.end_version({"", "b"}, {.seq = 9});
  pending_.clear();
  tombstones_.committed();
  WriteSet writes;
  pending_.fill(writes);
  EXPECT_THAT(writes.ids, IsEmpty());
  EXPECT_THAT(writes.erase_ids, IsEmpty());
  EXPECT_THAT(writes.documents, IsEmpty());
  EXPECT_THAT(writes.erase_documents, IsEmpty());
  EXPECT_THAT(seqs_of(pending_, {0, 1}), IsEmpty());
  EXPECT_FALSE(tombstones_.ended(9));
}

}  // namespace
}  // namespace neardup::TEST_FILE
