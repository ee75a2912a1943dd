// The flags of the latest batches, kept in memory.
#include "service/records/recent_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

FlagBlocks batch(Seq first, Seq last, std::size_t line_bytes = 10) {
  FlagBlockWriter writer;
  for (Seq seq = first; seq <= last; ++seq) {
    Flag flag;
    flag.seq = seq;
    std::string line = std::to_string(seq);
    line.resize(line_bytes, ' ');
    writer.add(flag, line + "\n");
  }
  return writer.take();
}

std::vector<Seq> seqs(const FlagBlocks& blocks) {
  std::vector<Seq> all;
  for (const auto& block : blocks) {
    for (const auto& entry : block->entries) all.push_back(entry.seq);
  }
  return all;
}

TEST(FlagBlocks, HoldTheLinesOfTheirFlags) {
  const FlagBlocks blocks = batch(7, 9, 3);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_THAT(seqs(blocks), ElementsAre(7, 8, 9));
  EXPECT_EQ(blocks[0]->line(0), "7  \n");
  EXPECT_EQ(blocks[0]->line(2), "9  \n");
}

TEST(FlagBlocks, AreSmallHoweverLargeTheBatchIs) {
  const FlagBlocks blocks = batch(1, 2000, 100);
  EXPECT_EQ(blocks.size(), 4u);  // of 202 000 bytes
  EXPECT_EQ(seqs(blocks).size(), 2000u);
}

TEST(RecentFlags, AreFoundBehindASeq) {
  RecentFlags flags(1 << 20);
  EXPECT_EQ(flags.range(), std::nullopt);
  flags.publish(batch(1, 3));
  flags.publish({});
  flags.publish(batch(4, 5));
  EXPECT_EQ(flags.range()->oldest, 1u);
  EXPECT_EQ(flags.range()->newest, 5u);
  EXPECT_THAT(seqs(flags.behind(0)), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(seqs(flags.behind(2)), ElementsAre(1, 2, 3, 4, 5));  // whole blocks
  EXPECT_THAT(seqs(flags.behind(3)), ElementsAre(4, 5));
  EXPECT_THAT(seqs(flags.behind(5)), IsEmpty());
  EXPECT_THAT(seqs(flags.behind(500)), IsEmpty());
}

TEST(RecentFlags, ForgetTheOldest) {
  RecentFlags flags(100'000);
  for (Seq seq = 1; seq < 5000; seq += 100) flags.publish(batch(seq, seq + 99, 100));
  const auto range = flags.range();
  EXPECT_EQ(range->newest, 5000u);
  // 116 bytes of a line and 16 of its entry; whole batches go.
  EXPECT_GT(range->oldest, 5000u - 100'000 / 117);
  EXPECT_LT(range->oldest, 5000u - 100'000 / 117 + 200);
}

TEST(RecentFlags, OneThatIsTooLargeIsForgottenAtOnce) {
  RecentFlags flags(100);
  flags.publish(batch(1, 1, 1000));
  EXPECT_EQ(flags.range(), std::nullopt);
}

TEST(RecentFlags, CallAReaderOnceWhenThereAreMore) {
  RecentFlags flags(1 << 20);
  flags.publish(batch(1, 1));
  int calls = 0;
  const auto more = [&] { ++calls; };
  EXPECT_THAT(seqs(flags.behind(0, &calls, more)), ElementsAre(1));
  flags.publish(batch(2, 2));
  EXPECT_EQ(calls, 0);  // it was given something
  EXPECT_THAT(seqs(flags.behind(2, &calls, more)), IsEmpty());
  flags.publish(batch(3, 3));
  flags.publish(batch(4, 4));
  EXPECT_EQ(calls, 1);
}

TEST(RecentFlags, DoNotCallAReaderThatHasGone) {
  RecentFlags flags(1 << 20);
  int calls = 0;
  flags.behind(0, &calls, [&] { ++calls; });
  flags.forget(&calls);
  flags.publish(batch(1, 1));
  EXPECT_EQ(calls, 0);
}

// Under the thread sanitizer, too.
TEST(RecentFlags, AreReadWhileTheyComeInOrderAndWithoutGaps) {
  RecentFlags flags(1 << 24);
  std::jthread writer([&] {
    for (Seq seq = 1; seq <= 20'000; seq += 10) flags.publish(batch(seq, seq + 9));
  });
  Seq seen = 0;
  while (seen < 20'000) {
    for (const auto& block : flags.behind(seen, &seen, [] {})) {
      for (const auto& entry : block->entries) {
        if (entry.seq <= seen) continue;
        ASSERT_EQ(entry.seq, seen + 1);
        seen = entry.seq;
      }
    }
  }
  flags.forget(&seen);
}

}  // namespace
}  // namespace neardup::TEST_FILE
