// The most similar documents, beside comparing every document.
#include "pipeline/search/similar.h"

#include <gmock/gmock.h>

#include "tests/unit/pipeline/search/search_fixture.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(SimilarAmongMany, HitsAreTheDocumentsWithTheMostEqualValues) {
  const SimilarOptions options{.k = 20, .min_similarity = 0, .candidates = 5'000};
  for (const std::string name_space : {"", "b"}) {
    const auto found = answers(queries_, options, name_space);
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      auto wanted = all_by_count(queries_[i], name_space);
      wanted.resize(20);
      EXPECT_EQ(hits_of(found[i]), wanted);
      EXPECT_EQ(found[i].searched, documents_[name_space].size());
      EXPECT_EQ(found[i].complete_above, 0);
      EXPECT_FALSE(found[i].fewer_because);
    }
  }
}

TEST_F(SimilarAmongMany, NoDocumentAboveTheProvenSimilarityIsMissing) {
  for (const std::uint32_t candidates : {5u, 30u, 200u, 1'500u}) expect_proofs_hold(candidates);
}

TEST_F(SimilarAmongMany, ThreadsAndOtherQueriesChangeNoAnswer) {
  const SimilarOptions options{.k = 10, .min_similarity = 100'000, .candidates = 100};
  const auto one = answers(queries_, options);
  const std::vector<Sketch> many = [&] {
    std::vector<Sketch> repeated;
    for (int i = 0; i < 60; ++i) repeated.insert(repeated.end(), queries_.begin(), queries_.end());
    return repeated;
  }();
  const auto all = answers(many, options, "", 0, 4);
  for (std::size_t i = 0; i < many.size(); ++i) {
    EXPECT_EQ(hits_of(all[i]), hits_of(one[i % queries_.size()]));
    EXPECT_EQ(all[i].complete_above, one[i % queries_.size()].complete_above);
    EXPECT_EQ(all[i].searched, one[i % queries_.size()].searched);
  }
}

TEST_F(SimilarAmongMany, AHitTellsItsEstimateAndItsBands) {
  const Sketch sketch = random_sketch();
  const Seq seq = add(sketch);
  const SimilarAnswer found = answer(sketch, {.k = 1});
  ASSERT_THAT(found.hits, SizeIs(1));
  EXPECT_EQ(found.hits[0].id, "d" + std::to_string(seq));
  EXPECT_EQ(found.hits[0].equal, kValues);
  EXPECT_EQ(found.hits[0].bands_hit, rule_.plan.bands);
  EXPECT_EQ(found.hits[0].estimate.similarity, kOne);
  EXPECT_LT(found.hits[0].estimate.low, kOne);
}

TEST_F(Similar, TheDocumentItselfIsNoHit) {
  const Sketch sketch = random_sketch();
  const Seq own = add(sketch);
  const Seq copy = add(sketch);
  EXPECT_THAT(hits_of(answer(sketch, {}, "", own)), ElementsAre(std::pair(kValues, copy)));
}

TEST_F(Similar, DeletedDocumentsLeaveRoomForLiveOnes) {
  const Sketch sketch = random_sketch();
  const Seq live = add(relative(sketch, 0.5));
  for (int i = 0; i < 50; ++i) remove(add(sketch));
  for (int i = 0; i < 50; ++i) add(sketch, "b");
  const SimilarAnswer found = answer(sketch, {.k = 1, .min_similarity = 0, .candidates = 1});
  ASSERT_THAT(found.hits, SizeIs(1));
  EXPECT_EQ(found.hits[0].seq, live);
  EXPECT_EQ(found.searched, 1);
}

TEST_F(Similar, DocumentsWithoutASketchAreNotFound) {
  add({});
  EXPECT_THAT(answer(random_sketch(), {.min_similarity = 0}).hits, IsEmpty());
}

TEST_F(Similar, AnAnswerWithFewerHitsSaysWhy) {
  const Sketch sketch = random_sketch();
  EXPECT_EQ(answer(sketch, {}).fewer_because, FewerBecause::kDocuments);
  add(sketch);
  EXPECT_EQ(answer(sketch, {}).fewer_because, FewerBecause::kDocuments);
  EXPECT_EQ(answer(sketch, {}, "other").fewer_because, FewerBecause::kDocuments);
  for (int i = 0; i < 30; ++i) add(random_sketch());
  EXPECT_EQ(answer(sketch, {}).fewer_because, FewerBecause::kMinSimilarity);
  EXPECT_EQ(answer(sketch, {.k = 2, .candidates = 10}).fewer_because, FewerBecause::kReach);
  EXPECT_EQ(answer(sketch, {.k = 1, .candidates = 10}).fewer_because, std::nullopt);
  // With so few candidates, the others are proven to be below 0.95.
  EXPECT_EQ(answer(sketch, {.k = 2, .min_similarity = 950'000, .candidates = 10}).fewer_because,
            FewerBecause::kMinSimilarity);
}

TEST_F(Similar, TiesGoToTheSmallerSeq) {
  const Sketch sketch = random_sketch();
  const Sketch other = relative(sketch, 0.9);
  const Seq first = add(other);
  const Seq second = add(other);
  add(other);
  const auto hits = answer(sketch, {.k = 2}).hits;
  ASSERT_THAT(hits, SizeIs(2));
  EXPECT_EQ(hits[0].seq, first);
  EXPECT_EQ(hits[1].seq, second);
}

}  // namespace
}  // namespace neardup::TEST_FILE
