#include "storage/index/merge_choice.h"

#include <gmock/gmock.h>

namespace neardup::TEST_FILE {
namespace {

using testing::FieldsAre;

constexpr Seq kEach = 1000;
constexpr Seq kTooFar = Seq{1} << 32;

class MergeChoice : public testing::Test {
 protected:
  // `count` generations of a level, each `apart` seqs behind the end of the one before.
  void add(std::size_t count, std::uint32_t level = 0, Seq apart = 0) {
    for (; count > 0; --count) {
      Manifest manifest;
      manifest.level = level;
      manifest.first = next_ + apart;
      manifest.end = next_ = manifest.first + kEach;
      all_.push_back(std::make_unique<Generation>(manifest));
    }
  }

  Generations all_;
  Seq next_ = 1;
};

TEST_F(MergeChoice, NothingIsMergedBelowEightOfALevel) {
  EXPECT_TRUE(neighbours_to_merge(all_).empty());
  add(3, 2);
  add(7, 1);
  add(7, 0);
  EXPECT_TRUE(neighbours_to_merge(all_).empty());
}

TEST_F(MergeChoice, TheOldestEightOfALevelAreMerged) {
  add(3, 1);
  add(10);
  EXPECT_THAT(neighbours_to_merge(all_), FieldsAre(3, 11));
}

TEST_F(MergeChoice, OfEightThatSpanTooMuchThoseAreMergedThatFit) {
  add(8, 0, kTooFar / 4);
  EXPECT_THAT(neighbours_to_merge(all_), FieldsAre(0, 4));
}

TEST_F(MergeChoice, AGenerationTooFarFromItsNeighbourDoesNotKeepYoungerOnesFromMerging) {
  add(2, 0, kTooFar);
  add(1, 0, kTooFar);
  add(7);
  EXPECT_THAT(neighbours_to_merge(all_), FieldsAre(2, 10));
}

TEST_F(MergeChoice, RunsOnBothSidesOfAGapAreMergedEachByItself) {
  add(7);
  add(1, 0, kTooFar);
  add(6);
  EXPECT_TRUE(neighbours_to_merge(all_).empty());
  add(1);
  EXPECT_THAT(neighbours_to_merge(all_), FieldsAre(7, 15));
}

TEST_F(MergeChoice, OfAllNeighboursAsManyAreMergedAsFit) {
  add(2, 3);
  add(3, 0);
  add(1, 0, kTooFar);
  add(1, 0, kTooFar);
  add(1, 0);
  EXPECT_THAT(all_neighbours(all_, 0), FieldsAre(0, 5));
  EXPECT_THAT(all_neighbours(all_, all_[4]->manifest.end), FieldsAre(5, 6));
  EXPECT_THAT(all_neighbours(all_, all_[5]->manifest.end), FieldsAre(6, 8));
  EXPECT_TRUE(all_neighbours(all_, all_[7]->manifest.end).empty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
