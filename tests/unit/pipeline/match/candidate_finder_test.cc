#include "pipeline/match/candidate_finder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "tests/unit/pipeline/match/candidate_path.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr std::string_view kA = "aaaabbbbccccdddd";

class CandidateFinderTest : public CandidatePath {
 protected:
  CandidateFinderTest() : CandidateFinderTest(0, 2) {}
  CandidateFinderTest(std::uint32_t need, std::uint32_t cap) : CandidatePath(need, cap) {}

  void prepare(const SketchedBatch& batch) {
    look_up(batch);
    finder_.prepare(parts_);
  }

  // What is found for the only document of a prepared batch.
  std::vector<Seq> listed(const SketchedBatch& batch) {
    std::vector<Seq> seqs;
    for (const ScoredCandidate& candidate : finder_.find(batch, 0, query_of(batch, 0)).scored) {
      seqs.push_back(candidate.seq);
    }
    return seqs;
  }

  // The live documents that are really in a counted bucket, ascending.
  std::vector<Seq> found(std::string_view values) {
    const SketchedBatch batch = asked(values);
    prepare(batch);
    const Query query = query_of(batch, 0);
    const CandidateList& list = finder_.find(batch, 0, query);
    std::vector<Seq> seqs;
    for (const ScoredCandidate& candidate : list.scored) {
      const DocumentRow* row = live_.find(candidate.seq, "");
      if (row != nullptr && list.in_counted_bucket(comparer_, query, *row)) {
        seqs.push_back(candidate.seq);
      }
    }
    std::sort(seqs.begin(), seqs.end());
    return seqs;
  }
};

class StrictPrefilter : public CandidateFinderTest {
 protected:
  StrictPrefilter() : CandidateFinderTest(13, 8) {}
};

TEST_F(CandidateFinderTest, come_from_store_and_batch) {
  store(3, "xxxxbbbbyyyyzzzz");
  store(7, "xxxxyyyyyyyydddd");
  add(9, "aaaaxxxxyyyyzzzz");
  EXPECT_THAT(found(kA), ElementsAre(3, 7, 9));
}

TEST_F(CandidateFinderTest, those_without_a_common_band_are_none) {
  store(1, "aaaxbbbxcccxdddx");
  add(2, "xaaaxbbbxcccxddd");
  EXPECT_THAT(found(kA), IsEmpty());
}

TEST_F(CandidateFinderTest, the_cap_keeps_the_oldest_of_each_bucket) {
  store(1, kA);
  store(2, kA);
  store(3, kA);
  add(4, "aaaaxxxxyyyyzzzz");
  EXPECT_THAT(found(kA), ElementsAre(1, 2));
  EXPECT_EQ(capped_buckets_.caps_hit(), 4u);
}

TEST_F(CandidateFinderTest, the_dead_do_not_count_for_the_cap) {
  for (Seq seq = 1; seq <= 8; ++seq) store(seq, kA);
  for (Seq seq : {1, 2, 4, 5, 6}) forget_row(seq);  // their postings are still there
  end(7);
  add(9, kA);
  EXPECT_THAT(found(kA), ElementsAre(3, 8));
}

TEST_F(CandidateFinderTest,
       a_full_bucket_is_not_asked_for_again_also_when_one_of_its_documents_ends) {
  for (Seq seq = 1; seq <= 4; ++seq) store(seq, kA);
  EXPECT_THAT(found(kA), ElementsAre(1, 2));
  const SketchedBatch batch = asked(kA);
  prepare(batch);
  EXPECT_THAT(lookup_.band(0, 0).seqs, IsEmpty());
  end(1);
  EXPECT_THAT(listed(batch), UnorderedElementsAre(2, 3));
}

// Each document of a bucket ends and comes back at its end, as on a site that is crawled again.
TEST_F(CandidateFinderTest, the_oldest_of_a_bucket_are_right_whichever_documents_end) {
  constexpr Seq kStored = 300;
  for (Seq seq = 1; seq <= kStored; ++seq) store(seq, kA);
  const SketchedBatch batch = asked(kA);
  prepare(batch);
  std::vector<Seq> live(kStored);
  std::iota(live.begin(), live.end(), Seq{1});
  for (Seq added = kStored + 1; added <= 3 * kStored; ++added) {
    const std::size_t ends = added % 3 == 0 ? added % live.size() : 0;
    end(live[ends]);
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(ends));
    add(added, kA);
    live.push_back(added);
    std::vector<Seq> seqs = listed(batch);
    std::erase_if(seqs, [this](Seq seq) { return live_.find(seq, "") == nullptr; });
    ASSERT_THAT(seqs, UnorderedElementsAre(live[0], live[1])) << added;
  }
}

TEST_F(StrictPrefilter, drops_stored_candidates_whose_bits_are_too_far_and_counts_all) {
  // Lowest bits: 1 of a and c, 0 of b and d.
  store(3, kA);
  store(4, "aaaaaaaaaaaaaaaa");
  add(5, kA);
  add(6, "aaaabbbbbbbbbbbb");
  EXPECT_THAT(found(kA), ElementsAre(3, 5, 6));
  EXPECT_EQ(finder_.filter_counts().candidates, 4u);
  EXPECT_EQ(finder_.filter_counts().passed, 2u);
}

TEST_F(CandidateFinderTest, a_hint_at_a_document_of_another_bucket_is_none) {
  DocumentPut collides = put(1, "xxxxyyyyzzzzwwww");
  collides.index.buckets[0] = put(1, kA).index.buckets[0];
  store(collides);
  collides.row.seq = 2;
  pending_.add(collides);
  store(3, kA);
  EXPECT_THAT(found(kA), ElementsAre(3));
}

TEST_F(CandidateFinderTest, a_pending_document_that_ended_is_none) {
  add(1, kA);
  add(2, kA);
  end(1);
  EXPECT_THAT(found(kA), ElementsAre(2));
}

}  // namespace
}  // namespace neardup::TEST_FILE
