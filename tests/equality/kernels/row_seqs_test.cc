// Rows and their seqs are told from each other in both directions.
#include "gpu/cuda/search/row_seqs.h"

#include <gtest/gtest.h>

namespace neardup::cuda::TEST_FILE {
namespace {

TEST(RowSeqsTest, a_row_has_its_seq_and_a_seq_its_row) {
  RowSeqs seqs;
  std::vector<Seq> wanted;
  const std::pair<Seq, u32> runs[] = {{5, 3},  {8, 2},   {10, 0},
                                      {20, 1}, {22, 70}, {Seq{1} << 40, 2}};
  for (const auto& [first, count] : runs) {
    seqs.add(first, count);
    for (u32 i = 0; i < count; ++i) wanted.push_back(first + i);
  }
  ASSERT_EQ(seqs.count(), wanted.size());
  for (u32 row = 0; row < wanted.size(); ++row) {
    EXPECT_EQ(seqs.seq(row), wanted[row]);
    EXPECT_EQ(seqs.row(wanted[row]), row);
  }
  for (const Seq none : {Seq{0}, Seq{4}, Seq{10}, Seq{19}, Seq{21}, Seq{92}, (Seq{1} << 40) + 2}) {
    EXPECT_EQ(seqs.row(none), kNoRow) << none;
  }
}

TEST(RowSeqsTest, nothing_is_left_after_clearing) {
  RowSeqs seqs;
  EXPECT_EQ(seqs.row(0), kNoRow);
  seqs.add(7, 2);
  seqs.clear();
  EXPECT_EQ(seqs.count(), 0u);
  EXPECT_EQ(seqs.row(7), kNoRow);
  seqs.add(3, 1);
  EXPECT_EQ(seqs.seq(0), 3u);
}

}  // namespace
}  // namespace neardup::cuda::TEST_FILE
