#include "pipeline/match/seen_seqs.h"

#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

TEST(SeenSeqs, LetsEachSeqThroughOnce) {
  SeenSeqs sieve;
  EXPECT_TRUE(sieve.add(7));
  EXPECT_TRUE(sieve.add(kMaxSeq));
  EXPECT_FALSE(sieve.add(7));
  EXPECT_FALSE(sieve.add(kMaxSeq));
  EXPECT_TRUE(sieve.add(8));
}

TEST(SeenSeqs, LetsTheNewOnesOfAWordThrough) {
  SeenSeqs sieve;
  sieve.add(64 * 5 + 1);
  EXPECT_EQ(sieve.add(SeqWord{5, 0b1011}), 0b1001u);
  EXPECT_EQ(sieve.add(SeqWord{5, 0b1011}), 0u);
  EXPECT_FALSE(sieve.add(64 * 5 + 3));
  EXPECT_EQ(sieve.add(SeqWord{6, 0b1011}), 0b1011u);
}

TEST(SeenSeqs, HasForgottenAllAfterClear) {
  SeenSeqs sieve;
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(sieve.add(1)) << round;
    EXPECT_FALSE(sieve.add(1)) << round;
    sieve.clear();
  }
}

TEST(SeenSeqs, KeepsThousandsApart) {
  SeenSeqs sieve;
  for (Seq seq = 1; seq <= 20'000; ++seq) ASSERT_TRUE(sieve.add(seq << 12)) << seq;
  for (Seq seq = 1; seq <= 20'000; ++seq) ASSERT_FALSE(sieve.add(seq << 12)) << seq;
  EXPECT_TRUE(sieve.add(5));
}

}  // namespace
}  // namespace neardup::TEST_FILE
