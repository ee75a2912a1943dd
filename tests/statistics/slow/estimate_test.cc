// Estimates are unbiased and as sharp as promised: large sets and many repetitions.
#include <gtest/gtest.h>

#include "tests/statistics/minhash.h"
#include "tests/statistics/promises.h"

namespace neardup::statistics::TEST_FILE {
namespace {

class FastSimilarity : public testing::TestWithParam<std::uint32_t> {};

INSTANTIATE_TEST_SUITE_P(Bins, FastSimilarity, testing::Values(16, 64, 128, 256, 1024));

TEST_P(FastSimilarity, is_unbiased_for_sets_of_any_size) {
  for (std::size_t size : {1, 2, 5, 10, 50, 200, 1000, 20'000, 100'000}) {
    Experiment experiment(fast_similarity(GetParam()), overlaps(size, kSimilarities), size);
    const std::uint32_t repetitions = size <= 1000 ? 4000 : 1000;
    for (const Outcome& outcome : experiment.run(repetitions)) expect_unbiased(outcome);
  }
}

TEST_P(FastSimilarity, varies_at_most_a_tenth_more_than_independent_values) {
  for (std::size_t size : {1, 2, 5, 10, 50, 200, 1000, 20'000}) {
    Experiment experiment(fast_similarity(GetParam()), overlaps(size, kSimilarities), size + 1);
    for (const Outcome& outcome : experiment.run(4000))
      expect_variance_of_at_most_independent_values(outcome);
  }
}

TEST_P(Minhash, is_unbiased_for_small_sets) {
  for (std::size_t size : {1, 2, 5, 10, 50, 200, 1000}) {
    Experiment experiment(minhash(GetParam(), 256), overlaps(size, kSimilarities), size);
    for (const Outcome& outcome : experiment.run(1000)) expect_unbiased(outcome);
  }
}

TEST_P(Minhash, is_unbiased_for_large_sets) {
  for (std::size_t size : {20'000, 100'000}) {
    Experiment experiment(minhash(GetParam(), 64), overlaps(size, kSimilarities), size);
    for (const Outcome& outcome : experiment.run(400)) expect_unbiased(outcome);
  }
}

TEST_P(Minhash, varies_as_independent_values) {
  for (std::size_t size : {1, 2, 5, 10, 50, 200}) {
    Experiment experiment(minhash(GetParam(), 64), overlaps(size, kSimilarities), size);
    for (const Outcome& outcome : experiment.run(10'000))
      expect_variance_of_independent_values(outcome);
  }
}

TEST(Permutation, is_unbiased_with_the_constants_of_the_paper) {
  const std::uint64_t universe = 1 << 22;
  for (std::size_t size : {1, 10, 100, 1000, 5000}) {
    Experiment experiment(minhash(MinhashHash::kPermutation, 16, universe),
                          overlaps(size, kSimilarities), size);
    for (const Outcome& outcome : experiment.run(size <= 100 ? 10'000 : 1000)) {
      if (constants_hold(outcome)) expect_unbiased(outcome);
    }
  }
}

}  // namespace
}  // namespace neardup::statistics::TEST_FILE
