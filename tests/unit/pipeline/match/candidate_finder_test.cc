#include "pipeline/match/candidate_finder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "storage/memory_store.h"
#include "tests/unit/pipeline/documents.h"

namespace neardup {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr std::string_view kA = "aaaabbbbccccdddd";

// Documents 1, 2, 3 … of the same values or others, in the store or in the batch at hand.
class CandidatesTest : public testing::Test {
 protected:
  CandidatesTest() : store_(open_memory_store({}, OpenMode::kReadWrite)) {}

  static Rule rule() {
    Rule rule = small_rule();
    rule.bucket_cap = 2;
    return rule;
  }

  DocumentPut put(Seq seq, std::string_view values, const std::string& name_space = "") {
    BatchMaker maker(rule_);
    const SketchedBatch batch = maker.document("d", values, "text", name_space).take();
    DocumentPut put;
    put.row.seq = seq;
    put.row.name_space = name_space;
    put.row.content = batch.content[0];
    put.row.sketch = batch.rows.sketches;
    put.index = {batch.rows.buckets, batch.rows.one_bit};
    return put;
  }

  void store(Seq seq, std::string_view values) {
    WriteSet writes;
    writes.documents.push_back(put(seq, values));
    writes.ids.emplace_back(IdKey{"", std::to_string(seq)}, IdRow{.seq = seq});
    store_->commit(writes);
  }
  // Its postings stay.
  void forget_row(Seq seq) {
    WriteSet writes;
    writes.erase_documents = {seq};
    writes.erase_ids = {{{"", std::to_string(seq)}, {.seq = seq}}};
    store_->commit(writes);
  }
  void end(Seq seq) { tombstones_.add({.seq = seq}); }
  void add(Seq seq, std::string_view values) { pending_.add(put(seq, values)); }

  static SketchedBatch asked(std::string_view values, const std::string& name_space = "") {
    return BatchMaker(rule()).document("query", values, "text", name_space).take();
  }

  static Query query_of(const SketchedBatch& batch) {
    return {"", batch.rows.sketches.data(), batch.rows.one_bit.data(), 0, ""};
  }

  std::vector<Seq> near(std::string_view values) { return near(values, look_up_, candidates_); }

  // The nominees that are candidates, ascending.
  static std::vector<Seq> near(std::string_view values, LookUp& look_up, Candidates& candidates) {
    const SketchedBatch batch = asked(values);
    look_up.run(batch);
    const Query query = query_of(batch);
    std::vector<Seq> seqs;
    for (const Nominee& nominee : candidates.near(batch, 0, query)) {
      const DocumentRow* row = candidates.live(nominee.seq, "");
      if (row != nullptr && candidates.named(*row, query)) seqs.push_back(nominee.seq);
    }
    std::sort(seqs.begin(), seqs.end());
    return seqs;
  }

  Seq same_content(const std::string& name_space = "") {
    const SketchedBatch batch = asked(kA, name_space);
    look_up_.run(batch);
    const DocumentRow* row = candidates_.same_content(batch, 0);
    return row == nullptr ? 0 : row->seq;
  }

  Rule rule_ = rule();
  std::unique_ptr<Store> store_;
  Tombstones tombstones_;
  Pending pending_{tombstones_};
  SketchComparer comparer_{rule_.plan.shape(), {}};
  OneBitFilter filter_{comparer_, 0};
  CappedBucketCache capped_buckets_{comparer_, rule_.bucket_cap, tombstones_};
  LookUp look_up_{*store_,         4,           rule_.bucket_cap, comparer_,          filter_,
                  capped_buckets_, tombstones_, RowsOf::kBest,    {.sketch_bytes = 0}};
  Candidates candidates_{rule_, comparer_, look_up_, pending_, capped_buckets_, tombstones_};
};

TEST_F(CandidatesTest, come_from_store_and_batch) {
  store(3, "xxxxbbbbyyyyzzzz");
  store(7, "xxxxyyyyyyyydddd");
  add(9, "aaaaxxxxyyyyzzzz");
  EXPECT_THAT(near(kA), ElementsAre(3, 7, 9));
}

TEST_F(CandidatesTest, those_without_a_common_band_are_none) {
  store(1, "aaaxbbbxcccxdddx");
  add(2, "xaaaxbbbxcccxddd");
  EXPECT_THAT(near(kA), IsEmpty());
}

TEST_F(CandidatesTest, the_cap_keeps_the_oldest_of_each_bucket) {
  store(1, kA);
  store(2, kA);
  store(3, kA);
  add(4, "aaaaxxxxyyyyzzzz");
  EXPECT_THAT(near(kA), ElementsAre(1, 2));
  EXPECT_EQ(candidates_.caps_hit(), 4u);
}

TEST_F(CandidatesTest, the_dead_do_not_count_for_the_cap) {
  for (Seq seq = 1; seq <= 8; ++seq) store(seq, kA);
  for (Seq seq : {1, 2, 4, 5, 6}) forget_row(seq);  // their postings are still there
  end(7);
  add(9, kA);
  EXPECT_THAT(near(kA), ElementsAre(3, 8));
}

TEST_F(CandidatesTest, a_full_bucket_is_not_asked_for_again_also_when_one_of_its_documents_ends) {
  for (Seq seq = 1; seq <= 4; ++seq) store(seq, kA);
  EXPECT_THAT(near(kA), ElementsAre(1, 2));
  const SketchedBatch batch = asked(kA);
  look_up_.run(batch);
  EXPECT_THAT(look_up_.band(0, 0).seqs, IsEmpty());
  end(1);
  std::vector<Seq> seqs;
  for (const Nominee& nominee : candidates_.near(batch, 0, query_of(batch))) {
    seqs.push_back(nominee.seq);
  }
  EXPECT_THAT(seqs, UnorderedElementsAre(2, 3));
}

// Each document of a bucket ends and comes back at its end, as on a site that is crawled again.
TEST_F(CandidatesTest, the_oldest_of_a_bucket_are_right_whichever_documents_end) {
  constexpr Seq kStored = 300;
  for (Seq seq = 1; seq <= kStored; ++seq) store(seq, kA);
  const SketchedBatch batch = asked(kA);
  look_up_.run(batch);
  std::vector<Seq> live(kStored);
  std::iota(live.begin(), live.end(), Seq{1});
  for (Seq added = kStored + 1; added <= 3 * kStored; ++added) {
    const std::size_t ends = added % 3 == 0 ? added % live.size() : 0;
    end(live[ends]);
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(ends));
    add(added, kA);
    live.push_back(added);
    std::vector<Seq> seqs;
    for (const Nominee& nominee : candidates_.near(batch, 0, query_of(batch))) {
      if (candidates_.live(nominee.seq, "") != nullptr) seqs.push_back(nominee.seq);
    }
    ASSERT_THAT(seqs, UnorderedElementsAre(live[0], live[1])) << added;
  }
}

TEST_F(CandidatesTest, the_oldest_of_the_same_content_is_found_whichever_documents_end) {
  constexpr Seq kStored = 300;
  for (Seq seq = 1; seq <= kStored; ++seq) store(seq, kA);
  const SketchedBatch batch = asked(kA);
  look_up_.run(batch);
  for (Seq seq = 1; seq <= kStored; ++seq) {
    ASSERT_EQ(candidates_.same_content(batch, 0)->seq, seq);
    add(kStored + seq, kA);
    end(seq);
  }
  EXPECT_EQ(candidates_.same_content(batch, 0)->seq, kStored + 1);
}

TEST_F(CandidatesTest, the_filter_drops_stored_ones_whose_bits_are_too_far_and_counts_all) {
  // Lowest bits: 1 of a and c, 0 of b and d.
  store(3, kA);
  store(4, "aaaaaaaaaaaaaaaa");
  add(5, kA);
  add(6, "aaaabbbbbbbbbbbb");
  rule_.bucket_cap = 8;
  OneBitFilter strict(comparer_, 13);
  LookUp look_up(*store_, 4, rule_.bucket_cap, comparer_, strict, capped_buckets_, tombstones_,
                 RowsOf::kBest, {.sketch_bytes = 0});
  Candidates candidates(rule_, comparer_, look_up, pending_, capped_buckets_, tombstones_);
  EXPECT_THAT(near(kA, look_up, candidates), ElementsAre(3, 5, 6));
  EXPECT_EQ(strict.counts().candidates, 4u);
  EXPECT_EQ(strict.counts().passed, 2u);
}

TEST_F(CandidatesTest, a_hint_at_a_document_of_another_bucket_is_none) {
  DocumentPut collides = put(1, "xxxxyyyyzzzzwwww");
  collides.index.buckets[0] = put(1, kA).index.buckets[0];
  WriteSet writes;
  writes.documents.push_back(collides);
  writes.ids.emplace_back(IdKey{"", "1"}, IdRow{.seq = 1});
  store_->commit(writes);
  collides.row.seq = 2;
  pending_.add(collides);
  store(3, kA);
  EXPECT_THAT(near(kA), ElementsAre(3));
}

TEST_F(CandidatesTest, a_pending_document_that_ended_is_none) {
  add(1, kA);
  add(2, kA);
  end(1);
  EXPECT_THAT(near(kA), ElementsAre(2));
}

TEST_F(CandidatesTest, the_oldest_live_one_has_the_same_content) {
  store(1, kA);
  store(2, kA);
  add(3, kA);
  EXPECT_EQ(same_content(), 1u);
  forget_row(1);
  end(1);
  EXPECT_EQ(same_content(), 2u);
  end(2);
  EXPECT_EQ(same_content(), 3u);
  end(3);
  EXPECT_EQ(same_content(), 0u);
}

TEST_F(CandidatesTest, another_namespace_is_another_world) {
  store(1, kA);
  EXPECT_EQ(same_content("news"), 0u);
  EXPECT_NE(candidates_.live(1, ""), nullptr);
  EXPECT_EQ(candidates_.live(1, "news"), nullptr);
  EXPECT_EQ(candidates_.live(77, ""), nullptr);
}

}  // namespace
}  // namespace neardup
