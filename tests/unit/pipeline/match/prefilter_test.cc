#include "pipeline/match/prefilter.h"

#include <gmock/gmock.h>

#include "tests/unit/pipeline/documents.h"

namespace neardup {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;

// Sixteen values of 8 bits; b has another lowest bit than a and c.
class NominatorTest : public testing::Test {
 protected:
  static SketchRows rows(std::string_view values) {
    return BatchMaker(small_rule()).document("d", values).take().rows;
  }
  static Candidate candidate(Seq seq, const SketchRows& rows, bool at_hand) {
    return {seq, rows.one_bit.data(), at_hand ? rows.sketches.data() : nullptr};
  }
  std::vector<Nominee> nominate(std::uint32_t need, std::vector<Candidate> candidates) {
    OneBitFilter filter(comparer_, need);
    std::vector<Nominee> nominees;
    Nominator(comparer_, filter)
        .nominate({query_.sketches.data(), query_.one_bit.data()}, candidates, nominees);
    counts_ = filter.counts();
    return nominees;
  }

  SketchComparer comparer_{small_rule().plan.shape(), {}};
  SketchRows query_ = rows("aaaaaaaaaaaaaaaa");
  SketchRows near_ = rows("aaaaaaaaaaaaaccb");
  SketchRows far_ = rows("aaaaaaaaaaaabbbb");
  FilterCounts counts_;  // of the last call
};

TEST_F(NominatorTest, CountsEqualValuesWhereTheSketchIsAtHandAndBoundsThemElsewhere) {
  EXPECT_THAT(nominate(13, {candidate(1, near_, true), candidate(2, near_, false)}),
              ElementsAre(FieldsAre(1, 13), FieldsAre(2, 15)));
}

TEST_F(NominatorTest, LeavesOutWhatTheFilterDrops) {
  EXPECT_THAT(nominate(13, {candidate(1, far_, false), candidate(2, near_, false)}),
              ElementsAre(FieldsAre(2, 15)));
}

TEST_F(NominatorTest, KeepsWhatIsAtHandAndCountsHowManyReachTheNeed) {
  EXPECT_THAT(nominate(13, {candidate(1, far_, true), candidate(2, near_, true)}),
              ElementsAre(FieldsAre(1, 12), FieldsAre(2, 13)));
  EXPECT_EQ(counts_.candidates, 2u);
  EXPECT_EQ(counts_.passed, 1u);
}

TEST_F(NominatorTest, TakesAnyNumber) {
  std::vector<Candidate> many;
  for (Seq seq = 1; seq <= 100; ++seq) many.push_back(candidate(seq, near_, seq % 3 == 0));
  const std::vector<Nominee> nominees = nominate(0, many);
  ASSERT_EQ(nominees.size(), 100u);
  for (std::size_t i = 0; i < nominees.size(); ++i) {
    EXPECT_EQ(nominees[i].seq, i + 1);
    EXPECT_EQ(nominees[i].most == 13, (i + 1) % 3 == 0) << i;
  }
}

}  // namespace
}  // namespace neardup
