#include "service/kafka/message/positions.h"

#include <gtest/gtest.h>

#include <limits>

namespace neardup::TEST_FILE {
namespace {

const Positions kPositions{{{"docs", 3}, 41},
                           {{"docs", 0}, 0},
                           {{"more.docs", 0}, std::numeric_limits<std::int64_t>::max()}};

TEST(Positions, AreALineForEachPartitionInTheirOrder) {
  EXPECT_EQ(encode_positions(kPositions), "docs 3 41\ndocs 0 0\nmore.docs 0 9223372036854775807\n");
}

TEST(Positions, ComeBack) {
  EXPECT_EQ(decode_positions(encode_positions(kPositions)), kPositions);
  EXPECT_EQ(decode_positions(""), Positions());
}

TEST(Positions, AreNothingElse) {
  for (const char* text :
       {"docs", "docs 3", "docs 3 41", "docs 3 41 \n", "docs 3 x\n", "docs x 3\n", "docs 03 4\n",
        "docs 3 4\n\n", "docs  3 4\n", "docs 4294967296 4\n"}) {
    EXPECT_EQ(decode_positions(text), std::nullopt) << text;
  }
}

TEST(Positions, AreFoundByTheirPartition) {
  EXPECT_EQ(find(kPositions, {"docs", 0}), &kPositions[1]);
  EXPECT_EQ(find(kPositions, {"docs", 1}), nullptr);
  EXPECT_EQ(find(kPositions, {"more.docs", 3}), nullptr);
}

TEST(Positions, AreNamedForPeople) { EXPECT_EQ(to_text(TopicPartition{"docs", 3}), "docs[3]"); }

}  // namespace
}  // namespace neardup::TEST_FILE
