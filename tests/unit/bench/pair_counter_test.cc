// Which pairs go to a device, and what becomes of them when it fails.
#include "bench/pairs/pair_counter.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "gpu/backend.h"

namespace neardup::TEST_FILE {
namespace {

constexpr SketchShape kShape{256, 8, 16, 6};

// `lists` documents with `each` candidates among `rows` rows of zeros.
class Load {
 public:
  Load(std::size_t lists, std::size_t each, std::size_t rows, std::uint32_t words)
      : queries_(lists * words), rows_(rows * words) {
    for (std::size_t i = 0; i <= lists; ++i) first_.push_back(static_cast<std::uint32_t>(i * each));
    for (std::size_t i = 0; i < lists * each; ++i) {
      candidates_.push_back(static_cast<std::uint32_t>(i % rows));
    }
  }
  PairLists lists() const { return {queries_, rows_, first_, candidates_}; }
  std::size_t pairs() const { return candidates_.size(); }

 private:
  std::vector<std::uint64_t> queries_;
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> candidates_;
};

bool pays(std::size_t lists, std::size_t each, std::size_t rows, std::uint32_t words) {
  return PairCosts().device_pays(Load(lists, each, rows, words).lists(), words);
}

TEST(PairCosts, rows_of_one_pair_each_never_pay) {
  for (const std::uint32_t words : {kShape.one_bit_words(), kShape.sketch_words()}) {
    EXPECT_FALSE(pays(1, 100, 100, words));
    EXPECT_FALSE(pays(1, 30'000, 30'000, words));
    EXPECT_FALSE(pays(1000, 30, 30'000, words));
  }
}

TEST(PairCosts, many_pairs_of_few_rows_pay) {
  EXPECT_TRUE(pays(256, 1000, 1000, kShape.sketch_words()));
  EXPECT_TRUE(pays(1000, 1000, 1000, kShape.one_bit_words()));
}

TEST(PairCosts, few_pairs_never_pay) { EXPECT_FALSE(pays(50, 50, 50, kShape.sketch_words())); }

class Counts : public PairCounter {
 public:
  explicit Counts(std::uint32_t value) : value_(value) {}
  void equal_bits(const PairLists&, std::span<std::uint32_t> counts) override { fill(counts); }
  void equal_values(const PairLists&, std::span<std::uint32_t> counts) override { fill(counts); }

 private:
  void fill(std::span<std::uint32_t> counts) {
    if (value_ == 0) throw DeviceFailure("gone");
    std::fill(counts.begin(), counts.end(), value_);
  }
  std::uint32_t value_;
};

std::uint32_t counted_by(PairCounter& counter, const Load& load) {
  std::vector<std::uint32_t> counts(load.pairs());
  counter.equal_values(load.lists(), counts);
  return std::accumulate(counts.begin(), counts.end(), std::uint32_t{0}) /
         static_cast<std::uint32_t>(counts.size());
}

TEST(ChoosingPairCounter, takes_the_device_for_what_pays) {
  const auto counter = make_choosing_pair_counter(kShape, {}, std::make_unique<Counts>(1),
                                                  std::make_unique<Counts>(2));
  EXPECT_EQ(counted_by(*counter, Load(256, 1000, 1000, kShape.sketch_words())), 2u);
  EXPECT_EQ(counted_by(*counter, Load(1, 1000, 1000, kShape.sketch_words())), 1u);
}

TEST(ChoosingPairCounter, goes_on_with_the_cpu_when_the_device_fails) {
  const auto counter = make_choosing_pair_counter(kShape, {}, std::make_unique<Counts>(1),
                                                  std::make_unique<Counts>(0));
  const Load load(256, 1000, 1000, kShape.sketch_words());
  EXPECT_EQ(counted_by(*counter, load), 1u);
  EXPECT_EQ(counted_by(*counter, load), 1u);
}

}  // namespace
}  // namespace neardup::TEST_FILE
