#include "service/kafka/start/delivered_topic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

using testing::AllOf;
using testing::HasSubstr;

DeliveredPiece piece(Seq first, Seq next, std::string value = "") {
  return {.first = first,
          .next = next,
          .value = value.empty() ? std::to_string(first) : value,
          .source = {}};
}
DeliveredPiece piece(Seq seq) { return piece(seq, seq + 1); }

class Merging : public testing::Test {
 protected:
  // A merge of these partitions.
  DeliveredMerge merge(std::vector<std::vector<DeliveredPiece>> partitions, Seq first, Seq last) {
    partitions_ = std::move(partitions);
    at_.assign(partitions_.size(), 0);
    return {"flags", partitions_.size(), first, last,
            [this](std::size_t p) -> std::optional<DeliveredPiece> {
              if (at_[p] == partitions_[p].size()) return {};
              return partitions_[p][at_[p]++];
            }};
  }

  // The first seqs of all pieces.
  static std::vector<Seq> all(DeliveredMerge merge, Seq first, Seq last) {
    std::vector<Seq> seqs;
    for (Seq next = first; next < last;) {
      const DeliveredPiece one = merge.next();
      seqs.push_back(one.first);
      next = one.next;
    }
    return seqs;
  }

  std::string refusal(std::vector<std::vector<DeliveredPiece>> partitions, Seq first, Seq last) {
    try {
      all(merge(std::move(partitions), first, last), first, last);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUnavailable);
      EXPECT_THAT(failure.what(), HasSubstr("so nothing was sent"));
      return failure.what();
    }
    ADD_FAILURE() << "not refused";
    return "";
  }

  std::vector<std::vector<DeliveredPiece>> partitions_;
  std::vector<std::size_t> at_;
};

TEST_F(Merging, PiecesOfAllPartitionsComeInTheOrderOfTheirSeqs) {
  EXPECT_EQ(all(merge({{piece(2), piece(3), piece(6)}, {piece(1), piece(5)}, {}, {piece(4)}}, 1, 7),
                1, 7),
            (std::vector<Seq>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Merging, PiecesThatAreNotNeededArePassedOver) {
  EXPECT_EQ(all(merge({{piece(1), piece(3), piece(5)}, {piece(2), piece(4)}}, 4, 6), 4, 6),
            (std::vector<Seq>{4, 5}));
}

TEST_F(Merging, TheFirstPieceMayBeginBeforeWhatIsNeeded) {
  EXPECT_EQ(all(merge({{piece(1, 4)}, {piece(4, 9)}, {piece(9, 12)}}, 6, 12), 6, 12),
            (std::vector<Seq>{4, 9}));
}

TEST_F(Merging, PiecesThatARestartHasSentAgainArePassedOver) {
  EXPECT_EQ(all(merge({{piece(1), piece(3), piece(1), piece(3), piece(5)},
                       {piece(2), piece(4), piece(2), piece(4), piece(6)}},
                      1, 7),
                1, 7),
            (std::vector<Seq>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Merging, ASeqWithOtherContentIsThatOfAnotherState) {
  EXPECT_THAT(refusal({{piece(1), piece(2), piece(3), piece(2, 3, "other"), piece(4)}}, 1, 5),
              AllOf(HasSubstr("topic flags has seq 2 a second time"), HasSubstr("after seq 3"),
                    HasSubstr("another state")));
}

TEST_F(Merging, ATopicThatBeginsTooLateIsToldWithBothNumbers) {
  EXPECT_THAT(refusal({{piece(8)}, {piece(7), piece(9)}}, 5, 10),
              AllOf(HasSubstr("the state is at seq 4"), HasSubstr("up to seq 9"),
                    HasSubstr("topic flags begins with seq 7, but seq 5 is needed")));
}

TEST_F(Merging, AGapIsToldWithBothNumbers) {
  EXPECT_THAT(refusal({{piece(5), piece(9)}, {piece(6), piece(10)}}, 5, 11),
              HasSubstr("topic flags has seq 6 and next seq 9"));
}

TEST_F(Merging, ATopicThatEndsTooEarlyIsToldWithBothNumbers) {
  EXPECT_THAT(refusal({{piece(5)}, {piece(6)}}, 5, 11),
              AllOf(HasSubstr("up to seq 10"), HasSubstr("topic flags ends with seq 6")));
  EXPECT_THAT(refusal({{piece(3)}, {}}, 5, 11),
              HasSubstr("topic flags has nothing of seq 5 or later"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
