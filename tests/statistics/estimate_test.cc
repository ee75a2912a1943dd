// Estimates are unbiased and as sharp as promised: the quick part.
#include <gtest/gtest.h>

#include "tests/statistics/minhash.h"
#include "tests/statistics/promises.h"

namespace neardup::statistics::TEST_FILE {
namespace {

constexpr std::size_t kSmallSets[] = {1, 2, 5, 10, 50, 200, 1000};
constexpr double kSomeSimilarities[] = {0, 0.3, 0.5, 0.8, 0.95};

TEST(FastSimilarity, is_unbiased_for_sets_of_any_size) {
  for (std::size_t size : {1, 2, 5, 10, 50, 200, 1000, 20'000, 100'000}) {
    Experiment experiment(fast_similarity(256), overlaps(size, kSimilarities), size);
    for (const Outcome& outcome : experiment.run(200)) expect_unbiased(outcome);
  }
}

TEST(FastSimilarity, is_unbiased_when_the_bins_are_no_power_of_two) {
  for (std::size_t size : {1, 10, 1000}) {
    Experiment experiment(fast_similarity(100), overlaps(size, kSimilarities), size + 1);
    for (const Outcome& outcome : experiment.run(200)) expect_unbiased(outcome);
  }
}

TEST(FastSimilarity, is_unbiased_for_sets_of_unlike_sizes) {
  for (const Overlap& shape :
       {Overlap{1, 2, 1}, Overlap{1, 1000, 0}, Overlap{5, 500, 5}, Overlap{5, 500, 0},
        Overlap{300, 1000, 200}, Overlap{20'000, 500, 400}}) {
    Experiment experiment(fast_similarity(256), {shape}, shape.size + shape.other);
    for (const Outcome& outcome : experiment.run(400)) expect_unbiased(outcome);
  }
}

TEST(FastSimilarity, varies_at_most_a_tenth_more_than_independent_values) {
  for (std::size_t size : {2, 10, 50, 200}) {
    Experiment experiment(fast_similarity(64), overlaps(size, kSomeSimilarities), size);
    for (const Outcome& outcome : experiment.run(4000))
      expect_variance_of_at_most_independent_values(outcome);
  }
}

TEST_P(Minhash, is_unbiased_for_small_sets) {
  for (std::size_t size : kSmallSets) {
    Experiment experiment(minhash(GetParam(), 64), overlaps(size, kSimilarities), size);
    for (const Outcome& outcome : experiment.run(400)) expect_unbiased(outcome);
  }
}

TEST_P(Minhash, varies_as_independent_values) {
  for (std::size_t size : {2, 10, 50}) {
    Experiment experiment(minhash(GetParam(), 64), overlaps(size, kSomeSimilarities), size);
    for (const Outcome& outcome : experiment.run(6000))
      expect_variance_of_independent_values(outcome);
  }
}

TEST(Permutation, is_unbiased_with_the_constants_of_the_paper) {
  const SketchOptions sketch = minhash(MinhashHash::kPermutation, 16, 1 << 18);
  std::vector<std::vector<Overlap>> shapes{
      {{5, 1000, 5}}, {{5, 1000, 0}}, {{200, 60, 50}}, {{1, 50, 1}}};
  for (std::size_t size : {1, 5, 10, 64, 200, 1000}) {
    shapes.push_back(overlaps(size, kSimilarities));
  }
  for (const auto& some : shapes) {
    Experiment experiment(sketch, some, some[0].size);
    for (const Outcome& outcome : experiment.run(1000)) {
      if (constants_hold(outcome)) expect_unbiased(outcome);
    }
  }
}

}  // namespace
}  // namespace neardup::statistics::TEST_FILE
