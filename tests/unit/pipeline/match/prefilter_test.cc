#include "pipeline/match/prefilter.h"

#include <gmock/gmock.h>

#include "tests/unit/pipeline/documents.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;
using testing::IsEmpty;

// Sixteen values of 8 bits. Lowest bits: 1 of a and c, 0 of b.
class PrefilterTest : public testing::Test {
 protected:
  static SketchRows rows(std::string_view values) {
    return BatchMaker(small_rule()).document("d", values).take().rows;
  }
  static Candidate candidate(Seq seq, const SketchRows& rows, bool in_memory) {
    return {seq, rows.one_bit(0), in_memory ? rows.sketch(0) : nullptr};
  }
  std::vector<ScoredCandidate> score(std::uint32_t need, std::vector<Candidate> candidates) {
    const Prefilter prefilter(comparer_, need);
    std::vector<ScoredCandidate> scored;
    counts_ = prefilter.score({"", query_.sketch(0), query_.one_bit(0), 0, ""}, candidates, scored);
    return scored;
  }

  SketchComparer comparer_{small_rule().plan.shape(), {}};
  SketchRows query_ = rows("aaaaaaaaaaaaaaaa");
  SketchRows near_ = rows("aaaaaaaaaaaaaccb");
  SketchRows far_ = rows("aaaaaaaaaaaabbbb");
  FilterCounts counts_;  // of the last call
};

TEST_F(PrefilterTest, CountsEqualValuesWhereTheSketchIsInMemoryAndBoundsThemElsewhere) {
  EXPECT_THAT(score(13, {candidate(1, near_, true), candidate(2, near_, false)}),
              ElementsAre(FieldsAre(1, 13), FieldsAre(2, 15)));
}

TEST_F(PrefilterTest, DropsCandidatesWhoseBoundIsTooSmall) {
  EXPECT_THAT(score(13, {candidate(1, far_, false), candidate(2, near_, false)}),
              ElementsAre(FieldsAre(2, 15)));
  EXPECT_THAT(score(16, {candidate(2, near_, false)}), IsEmpty());
  EXPECT_THAT(score(15, {candidate(2, near_, false)}), ElementsAre(FieldsAre(2, 15)));
}

TEST_F(PrefilterTest, KeepsCandidatesWhoseSketchIsInMemoryAndCountsThoseThatReachTheNeed) {
  EXPECT_THAT(score(13, {candidate(1, far_, true), candidate(2, near_, true)}),
              ElementsAre(FieldsAre(1, 12), FieldsAre(2, 13)));
  EXPECT_EQ(counts_.candidates, 2u);
  EXPECT_EQ(counts_.passed, 1u);
}

TEST_F(PrefilterTest, DropsNothingWhereNothingIsNeededOrNoSketchIsInMemory) {
  const std::vector<ScoredCandidate> scored = score(0, {candidate(1, far_, false)});
  ASSERT_EQ(scored.size(), 1u);
  EXPECT_GE(scored[0].max_equal, kValues);
  const std::vector<ScoredCandidate> unknown = score(16, {{.seq = 1}});
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_GE(unknown[0].max_equal, kValues);
}

TEST_F(PrefilterTest, TakesAnyNumberOfCandidates) {
  std::vector<Candidate> many;
  for (Seq seq = 1; seq <= 100; ++seq) many.push_back(candidate(seq, near_, seq % 3 == 0));
  const std::vector<ScoredCandidate> scored = score(0, many);
  ASSERT_EQ(scored.size(), 100u);
  for (std::size_t i = 0; i < scored.size(); ++i) {
    EXPECT_EQ(scored[i].seq, i + 1);
    EXPECT_EQ(scored[i].max_equal == 13, (i + 1) % 3 == 0) << i;
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
