// The bodies of the CUDA kernels, run on the host, against the CPU backend: bit for bit.
#include <gtest/gtest.h>

#include <random>

#include "serial_backend.h"
#include "texts.h"

namespace neardup {
namespace {

using cuda::PieceLimits;
using cuda::SerialBackend;

struct Family {
  const char* name;
  SketchFamily family;
  std::uint32_t size;
  std::uint32_t bits;
  MinhashHash hash = MinhashHash::k2u;
  std::uint64_t universe = 0;
  ShingleOptions shingle = {};
  std::uint32_t bands = 3;
  std::uint32_t rows = 2;

  SketchPlan plan() const {
    SketchPlan plan;
    plan.shingle = shingle;
    plan.sketch.family = family;
    plan.sketch.size = size;
    plan.sketch.bits = bits;
    plan.sketch.hash = hash;
    plan.sketch.universe = universe;
    plan.bands = bands;
    plan.rows = rows;
    return plan;
  }
};
void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

constexpr auto kFast = SketchFamily::kFastSimilarity;
constexpr auto kMin = SketchFamily::kMinhash;
constexpr auto kWord = ShingleUnit::kWord;
constexpr auto kChar = ShingleUnit::kChar;

constexpr Family kFamilies[] = {
    {"fast_default", kFast, 256, 8, {}, 0, {}, 16, 6},
    {"fast_one_bit", kFast, 64, 1, {}, 0, {}, 2, 32},
    {"fast_wide_bands", kFast, 100, 32, {}, 0, {kWord, 3}, 4, 25},
    {"fast_odd_size", kFast, 7, 16, {}, 0, {kWord, 1}, 7, 1},
    {"fast_one_bin", kFast, 1, 2, {}, 0, {kWord, 2}, 1, 1},
    {"fast_large", kFast, 1024, 4, {}, 0, {kWord, 9}, 8, 16},
    {"fast_characters", kFast, 128, 8, {}, 0, {kChar, 7}, 16, 8},
    {"fast_long_shingles", kFast, 128, 8, {}, 0, {kChar, 40}, 16, 8},
    {"two_universal", kMin, 128, 8, MinhashHash::k2u, 0, {}, 16, 8},
    {"two_universal_mod", kMin, 33, 16, MinhashHash::k2u, 1000, {}, 4, 8},
    {"four_universal", kMin, 64, 32, MinhashHash::k4u, 0, {kChar, 3}, 4, 8},
    {"four_universal_mod", kMin, 65, 4, MinhashHash::k4u, 12'345, {}, 13, 5},
    {"multiply_shift", kMin, 130, 2, MinhashHash::kMs32, 0, {}, 10, 13},
    {"multiply_shift_mod", kMin, 40, 8, MinhashHash::kMs32, 77, {}, 10, 4},
    {"permutation", kMin, 50, 8, MinhashHash::kPermutation, 4099, {}, 10, 5},
    {"permutation_of_few", kMin, 20, 1, MinhashHash::kPermutation, 31, {kChar, 2}, 10, 2},
};

constexpr PieceLimits kOnePiece{std::uint64_t{64} << 20, std::uint64_t{64} << 20, 1 << 16};

void expect_same(const Family& family, const TextBatch& texts, const PieceLimits& limits) {
  const SketchPlan plan = family.plan();
  const std::vector<SketchTask> tasks = tasks_of(texts);
  SketchRows wanted = rows_for(texts.size(), plan.shape());
  SketchRows found = wanted;
  make_cpu_backend({}, plan)->sketch(texts, tasks, wanted);
  SerialBackend(plan, limits).sketch(texts, tasks, found);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(row_of(found, plan.shape(), i), row_of(wanted, plan.shape(), i))
        << "text " << i << " of " << texts.text(i).size()
        << " bytes: " << texts.text(i).substr(0, 80);
  }
}

class KernelsTest : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Each, KernelsTest, testing::ValuesIn(kFamilies),
                         [](const auto& family) { return std::string(family.param.name); });

TEST_P(KernelsTest, sketch_texts_of_all_lengths) {
  expect_same(GetParam(), awkward_texts(), kOnePiece);
}

TEST_P(KernelsTest, sketch_batches_of_awkward_sizes) {
  for (const std::size_t size : {0, 1, 31, 32, 33, 400}) {
    expect_same(GetParam(), random_texts(size, size + 1), kOnePiece);
  }
}

TEST_P(KernelsTest, sketch_long_texts_in_segments) {
  expect_same(GetParam(), long_texts(), kOnePiece);
}

TEST_P(KernelsTest, give_the_same_rows_in_pieces_of_any_size) {
  const TextBatch texts = random_texts(200, 99);
  expect_same(GetParam(), texts, {10'000, 10'000, 1000});
  expect_same(GetParam(), texts, {1 << 20, 1 << 20, 1});
  expect_same(GetParam(), texts, {1 << 20, 1 << 20, 7});
}

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
  EXPECT_FALSE(cuda::PieceBuilder(ShingleUnit::kWord, {99, 1000, 5}).fits(100));
  EXPECT_FALSE(cuda::PieceBuilder(ShingleUnit::kWord, {100, 50, 5}).fits(100));
  EXPECT_TRUE(cuda::PieceBuilder(ShingleUnit::kWord, {100, 51, 5}).fits(100));
}

}  // namespace
}  // namespace neardup
