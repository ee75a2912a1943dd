#include <gtest/gtest.h>

#include <random>

#include "service/report/state_size.h"
#include "storage/generation/filter.h"
#include "storage/memory_plan.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

// How often a filter of `bits` a posting is wrong about what is not in it.
double measured_false_positives(std::uint64_t bits) {
  constexpr std::uint64_t kPostings = 100'000;
  constexpr int kLookUps = 1'000'000;
  std::mt19937_64 random(bits);
  const auto hash = [&random] { return random() >> (64 - kHashBits); };
  const std::uint64_t lines = Filter::lines_for(kPostings, bits);
  Filter filter = std::move(Filter::make({&lines, 1}).front());
  for (std::uint64_t i = 0; i < kPostings; ++i) filter.add(hash());
  int wrong = 0;
  for (int i = 0; i < kLookUps; ++i) wrong += filter.may_contain(hash()) ? 1 : 0;
  return static_cast<double>(wrong) / kLookUps;
}

TEST(FalsePositiveChance, IsThatOfTheFilters) {
  for (const std::uint64_t bits : {4, 6, 8, 12, 16, 20}) {
    const double measured = measured_false_positives(bits);
    EXPECT_NEAR(false_positive_chance(static_cast<double>(bits)), measured, measured / 5) << bits;
  }
}

TEST(MemoryShare, AllFitsWithEnoughMemory) {
  const MemoryShare share = share_memory({1e6, 16, 32}, 1024 * kMiB);
  EXPECT_TRUE(share.all_fits);
  EXPECT_EQ(share.filter_bits, kMostFilterBits);
  EXPECT_EQ(share.one_bit_share, 1);
  EXPECT_LT(share.wasted_pages, 0.1);
}

TEST(MemoryShare, LessMemoryIsNeverFaster) {
  const IndexLoad load{10e6, 20, 32};
  double last = 0;
  for (const std::uint64_t memory : {64, 128, 256, 512, 1024, 2048, 4096}) {
    const MemoryShare share = share_memory(load, memory * kMiB);
    EXPECT_GE(share.documents_per_cpu_second, last) << memory;
    EXPECT_GE(share.filter_bits, 4) << memory;
    last = share.documents_per_cpu_second;
  }
}

TEST(MemoryShare, OneBitSketchesGiveWayBeforeFiltersDo) {
  const MemoryShare some = share_memory({10e6, 20, 32}, 900 * kMiB);
  EXPECT_EQ(some.filter_bits, kMostFilterBits);
  EXPECT_LT(some.one_bit_share, 1);
  const MemoryShare few = share_memory({10e6, 20, 32}, 200 * kMiB);
  EXPECT_LT(few.filter_bits, kMostFilterBits);
  EXPECT_EQ(few.filtered, 1);
  EXPECT_LT(share_memory({10e6, 20, 32}, 32 * kMiB).filtered, 1);
}

}  // namespace
}  // namespace neardup::TEST_FILE
