#include "storage/index/epoch.h"

#include <gmock/gmock.h>

#include "tests/unit/storage/index/index_on_disk.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class EpochTest : public IndexStateTest {
 protected:
  Manifest put(std::uint32_t number, std::uint32_t epoch, Seq first, Seq end) {
    Manifest like;
    like.generation = number;
    like.epoch = epoch;
    like.first = first;
    like.end = end;
    return write({{{number, {first}}}}, like);
  }
  void set_epoch(std::uint32_t epoch) {
    rocksdb::WriteBatch batch;
    put_epoch(state_, epoch, batch);
    ASSERT_TRUE(state_.db().Write({}, &batch).ok());
  }
};

TEST_F(EpochTest, AnEmptyStateBegins) {
  const auto stored = read_generations(state_);
  EXPECT_EQ(stored.epoch, 0);
  EXPECT_EQ(stored.next_number, 1);
  EXPECT_THAT(stored.current, IsEmpty());
  EXPECT_THAT(stored.next, IsEmpty());
  EXPECT_THAT(stored.superseded, IsEmpty());
}

TEST_F(EpochTest, GenerationsComeBySeqWhateverTheirNumbers) {
  const Manifest late = put(3, 0, 200, 300);
  const Manifest early = put(7, 0, 1, 100);
  const Manifest middle = put(9, 0, 100, 200);
  const auto stored = read_generations(state_);
  EXPECT_THAT(stored.current, ElementsAre(early, middle, late));
  EXPECT_THAT(stored.superseded, IsEmpty());
  EXPECT_EQ(stored.next_number, 10);
}

TEST_F(EpochTest, SourcesOfAMergeAreSupersededAndTheirNeighboursAreNot) {
  const Manifest before = put(1, 0, 1, 100);
  put(2, 0, 100, 200);
  put(3, 0, 250, 300);
  const Manifest behind = put(5, 0, 300, 400);
  const Manifest merged = put(4, 0, 100, 300);
  const auto stored = read_generations(state_);
  EXPECT_THAT(stored.current, ElementsAre(before, merged, behind));
  EXPECT_THAT(stored.superseded, ElementsAre(2, 3));
}

TEST_F(EpochTest, OneThatWasMergedAloneIsSuperseded) {
  put(2, 0, 100, 200);
  const Manifest again = put(6, 0, 100, 200);
  const auto stored = read_generations(state_);
  EXPECT_THAT(stored.current, ElementsAre(again));
  EXPECT_THAT(stored.superseded, ElementsAre(2));
}

TEST_F(EpochTest, TheNextEpochIsApartUntilItIsTheCurrentOne) {
  const Manifest old = put(1, 0, 1, 100);
  const Manifest made = put(2, 1, 1, 200);
  const Manifest more = put(3, 1, 200, 300);
  auto stored = read_generations(state_);
  EXPECT_THAT(stored.current, ElementsAre(old));
  EXPECT_THAT(stored.next, ElementsAre(made, more));
  EXPECT_THAT(stored.superseded, IsEmpty());
  set_epoch(1);
  stored = read_generations(state_);
  EXPECT_EQ(stored.epoch, 1);
  EXPECT_THAT(stored.current, ElementsAre(made, more));
  EXPECT_THAT(stored.next, IsEmpty());
  EXPECT_THAT(stored.superseded, ElementsAre(1));
  EXPECT_EQ(stored.next_number, 4);
}

TEST_F(EpochTest, ADamagedEpochIsAFailure) {
  set_epoch(1);
  ASSERT_TRUE(state_.db().Put({}, state_.family(Family::kDefault), "index_epoch", "\x01\x01").ok());
  expect_damage([this] { read_generations(state_); });
}

}  // namespace
}  // namespace neardup::TEST_FILE
