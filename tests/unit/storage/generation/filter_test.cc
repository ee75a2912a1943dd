#include "storage/generation/filter.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "storage/index/filter_budget.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::uint64_t kSeed = 20260601;

std::vector<Hash40> some_hashes(std::size_t count) {
  std::mt19937_64 random(kSeed);
  std::vector<Hash40> hashes(count);
  for (Hash40& hash : hashes) hash = random() >> (64 - kHashBits);
  return hashes;
}

Filter filter_of(const std::vector<Hash40>& hashes, std::uint64_t bits) {
  const std::uint64_t lines = Filter::lines_for(hashes.size(), bits);
  Filter filter = std::move(Filter::make({&lines, 1}).front());
  for (const Hash40 hash : hashes) filter.add(hash);
  return filter;
}

bool contains_all(const Filter& filter, const std::vector<Hash40>& hashes) {
  return std::all_of(hashes.begin(), hashes.end(),
                     [&](Hash40 hash) { return filter.may_contain(hash); });
}

// Of hashes that were not added; some few of them were, perhaps.
double false_positives(const Filter& filter) {
  constexpr int kTries = 200'000;
  std::mt19937_64 random(kSeed + 1);
  int found = 0;
  for (int i = 0; i < kTries; ++i) found += filter.may_contain(random() >> (64 - kHashBits));
  return static_cast<double>(found) / kTries;
}

TEST(FilterTest, ContainsEverythingThatWasAddedAtAnySize) {
  for (const std::size_t count : {1, 31, 32, 33, 1000, 100'000}) {
    const auto hashes = some_hashes(count);
    for (const std::uint64_t bits : {4, 7, 16}) {
      EXPECT_TRUE(contains_all(filter_of(hashes, bits), hashes)) << count << " at " << bits;
    }
  }
}

TEST(FilterTest, ContainsTheFirstAndTheLastHash) {
  constexpr Hash40 kLast = (Hash40{1} << kHashBits) - 1;
  const Filter filter = filter_of({0, kLast}, 16);
  EXPECT_TRUE(filter.may_contain(0));
  EXPECT_TRUE(filter.may_contain(kLast));
}

TEST(FilterTest, AnEmptyOneContainsNothing) { EXPECT_EQ(false_positives(filter_of({}, 16)), 0); }

TEST(FilterTest, FalsePositivesAreRareAndMoreOfThemAtFewerBits) {
  const auto hashes = some_hashes(200'000);
  EXPECT_LT(false_positives(filter_of(hashes, 20)), 0.0006);
  EXPECT_LT(false_positives(filter_of(hashes, 16)), 0.0025);
  EXPECT_LT(false_positives(filter_of(hashes, 8)), 0.05);
  const double at_four = false_positives(filter_of(hashes, 4));
  EXPECT_LT(at_four, 0.35);
  EXPECT_GT(at_four, 0.05);
}

TEST(FilterTest, FoldingLosesNothingAndIsAsGoodAsOneMadeSmall) {
  const auto hashes = some_hashes(100'000);
  Filter filter = filter_of(hashes, 16);
  const std::uint64_t lines = filter.lines();
  for (const std::uint64_t bits : {8, 4}) {
    filter.fold();
    EXPECT_TRUE(contains_all(filter, hashes)) << bits;
    EXPECT_NEAR(false_positives(filter), false_positives(filter_of(hashes, bits)), 0.01) << bits;
  }
  EXPECT_EQ(filter.lines(), lines / 4);
  EXPECT_EQ(filter.bytes().size(), lines / 4 * Filter::kLineBytes);
}

TEST(FilterTest, RepeatedHashesAreKnownAlsoWhenFoldedAndFewOthersAreTakenForThem) {
  const auto hashes = some_hashes(90'000);
  const std::span repeated = std::span(hashes).first(30'000);
  const std::uint64_t lines = Filter::lines_for(120'000, 16);
  Filter filter = std::move(Filter::make({&lines, 1}).front());
  for (const Hash40 hash : hashes) filter.add(hash);
  for (const Hash40 hash : repeated) filter.add_repeated(hash);
  const auto known = [&](std::span<const Hash40> of) {
    return std::count_if(of.begin(), of.end(),
                         [&](Hash40 hash) { return filter.may_repeat(hash); });
  };
  EXPECT_EQ(known(repeated), 30'000);
  EXPECT_LT(known(std::span(hashes).subspan(30'000)), 300);
  EXPECT_TRUE(contains_all(filter, hashes));
  EXPECT_LT(false_positives(filter), 0.0025);
  filter.fold();
  EXPECT_EQ(known(repeated), 30'000);
}

TEST(FilterTest, LinesAreEnoughAndCanBeFoldedTwice) {
  for (const std::uint64_t postings : {0, 1, 127, 128, 129, 1'000'000}) {
    for (const std::uint64_t bits : {4, 9, 16}) {
      const std::uint64_t lines = Filter::lines_for(postings, bits);
      EXPECT_GE(lines, 4);
      EXPECT_EQ(lines % 4, 0);
      EXPECT_GE(lines * Filter::kLineBytes * 8, postings * bits);
      EXPECT_LE(lines * Filter::kLineBytes * 8, postings * bits + 4 * Filter::kLineBytes * 8);
    }
  }
}

// A manifest with more of them would be refused.
TEST(FilterTest, LinesHaveABoundHoweverManyPostingsThereAre) {
  for (const std::uint64_t postings : {600'000'000ull, 4'000'000'000ull}) {
    EXPECT_LT(Filter::lines_for(postings, kMostFilterBits), 1u << 24) << postings;
    EXPECT_EQ(Filter::lines_for(postings, kMostFilterBits) % 4, 0) << postings;
  }
}

TEST(FilterTest, ThoseMadeTogetherAreKeptApart) {
  const std::uint64_t lines[] = {4, 8, 4};
  std::vector<Filter> filters = Filter::make(lines);
  const auto hashes = some_hashes(50);
  for (const Hash40 hash : hashes) filters[1].add(hash);
  filters[1].fold();
  EXPECT_TRUE(contains_all(filters[1], hashes));
  EXPECT_EQ(false_positives(filters[0]), 0);
  EXPECT_EQ(false_positives(filters[2]), 0);
}

TEST(FilterBitsTest, AreWhatTheBudgetAllowsBetweenFourAndTwenty) {
  EXPECT_EQ(filter_bits(1000, 1000), 8);
  EXPECT_EQ(filter_bits(1000, 900), 8);
  EXPECT_EQ(filter_bits(1'000'000, 1000), 20);
  EXPECT_EQ(filter_bits(10, 1000), 4);
  EXPECT_EQ(filter_bits(0, 0), 4);
}

std::uint64_t resident_bytes() {
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(FilterTest, EachOfThoseMadeTogetherFreesItsMemoryByItself) {
  constexpr std::uint64_t kBytes = std::uint64_t{16} << 20;
  const std::vector<std::uint64_t> lines(4, kBytes / Filter::kLineBytes);
  std::vector<Filter> filters = Filter::make(lines);
  const auto hashes = some_hashes(1000);
  for (Filter& filter : filters) {
    for (const Hash40 hash : hashes) filter.add(hash);
  }
  const std::uint64_t whole = resident_bytes();
  filters[1].fold();
  const std::uint64_t folded = resident_bytes();
  EXPECT_LE(folded + kBytes / 4, whole) << "half of a filter";
  filters.pop_back();
  EXPECT_LE(resident_bytes() + kBytes / 2, folded) << "a filter";
  for (const Filter& filter : filters) EXPECT_TRUE(contains_all(filter, hashes));
}

}  // namespace
}  // namespace neardup::TEST_FILE
