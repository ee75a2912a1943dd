#include "gpu/cuda/piece_builder.h"

#include <gtest/gtest.h>

#include "texts.h"

namespace neardup::TEST_FILE {
namespace {

using cuda::PieceLimits;

constexpr PieceLimits kOnePiece{std::uint64_t{64} << 20, std::uint64_t{64} << 20, 1 << 16};

TEST(PieceBuilderTest, orders_by_length_and_cuts_long_texts) {
  TextBatch texts;
  const std::size_t sizes[] = {5000, 10, cuda::kLongText, 20, cuda::kLongText + 1, 1023, 1024};
  for (const std::size_t size : sizes) texts.push(std::string(size, 'a'));
  cuda::PieceBuilder builder(ShingleUnit::kWord, kOnePiece);
  ASSERT_EQ(builder.build(texts, tasks_of(texts)), std::size(sizes));
  const cuda::Piece piece = builder.counts();
  EXPECT_EQ(piece.short_end, 3u);
  EXPECT_EQ(piece.long_begin, 5u);
  EXPECT_EQ(piece.document_count, 7u);
  EXPECT_EQ(piece.segment_count, 4u + 5u);
  std::vector<std::uint32_t> order;
  for (const SketchTask& task : builder.order()) order.push_back(task.text);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 3, 5, 0, 6, 2, 4}));
  EXPECT_EQ(builder.segments().back().begin, cuda::kLongText);
  EXPECT_EQ(builder.segments().back().end, cuda::kLongText + 1);
}

TEST(PieceBuilderTest, ends_a_piece_at_each_of_its_limits) {
  TextBatch texts;
  for (int i = 0; i < 10; ++i) texts.push(std::string(100, 'a'));
  const std::vector<SketchTask> tasks = tasks_of(texts);
  const auto taken = [&](const PieceLimits& limits) {
    return cuda::PieceBuilder(ShingleUnit::kWord, limits).build(texts, tasks);
  };
  EXPECT_EQ(taken({350, 1000, 100}), 3u);
  EXPECT_EQ(taken({1000, 4 * 51, 100}), 4u);
  EXPECT_EQ(taken({1000, 1000, 5}), 5u);
  EXPECT_EQ(taken({1000, 1000, 100}), 10u);
  EXPECT_EQ(taken({1000, 1000, 100, 300}), 3u);
  EXPECT_EQ(taken({1000, 1000, 100, 301}), 4u);
  EXPECT_EQ(taken({350, 1000, 100, 1}), 1u);
  EXPECT_FALSE(cuda::PieceBuilder(ShingleUnit::kWord, {99, 1000, 5}).fits(100));
  EXPECT_FALSE(cuda::PieceBuilder(ShingleUnit::kWord, {100, 50, 5}).fits(100));
  EXPECT_TRUE(cuda::PieceBuilder(ShingleUnit::kWord, {100, 51, 5}).fits(100));
}

}  // namespace
}  // namespace neardup::TEST_FILE
