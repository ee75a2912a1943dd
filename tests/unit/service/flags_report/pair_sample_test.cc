#include "service/flags_report/pair_sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/unit/service/flags_report/flag_support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::IsEmpty;

void add(PairSample& sample, const ReadFlag& read) { sample.add(read.flag, read.evidence); }

std::vector<ReadFlag> random_copies(std::size_t count) {
  std::mt19937 random(7);
  std::vector<ReadFlag> copies;
  for (Seq seq = 2; seq < 2 + count; ++seq)
    copies.push_back(copy_of(1, "o", seq, 800'000 + static_cast<Ppm>(random() % 200) * 1000));
  return copies;
}

std::vector<Seq> seqs(const std::vector<SampledPair>& pairs) {
  std::vector<Seq> all;
  for (const SampledPair& pair : pairs) all.push_back(pair.document.seq);
  return all;
}

std::vector<SampledPair> sample_of(const std::vector<ReadFlag>& copies) {
  PairSample sample;
  for (const ReadFlag& copy : copies) add(sample, copy);
  return sample.pairs();
}

TEST(PairSample, the_nearest_and_the_farthest_are_in_it) {
  auto copies = random_copies(5000);
  const auto pairs = sample_of(copies);
  ASSERT_EQ(pairs.size(), PairSample::kPairs);
  std::ranges::sort(copies, {}, [](const ReadFlag& copy) { return copy.evidence.similarity; });
  for (std::size_t i = 0; i < PairSample::kNear; ++i) {
    EXPECT_TRUE(pairs[i].near);
    EXPECT_EQ(pairs[i].similarity, copies[i].evidence.similarity) << i;
  }
  for (std::size_t i = 0; i < PairSample::kFar; ++i) {
    EXPECT_FALSE(pairs[pairs.size() - 1 - i].near);
    EXPECT_EQ(pairs[pairs.size() - 1 - i].similarity,
              copies[copies.size() - 1 - i].evidence.similarity);
  }
  const Ppm middle = pairs[(PairSample::kNear + pairs.size() - PairSample::kFar) / 2].similarity;
  EXPECT_GT(middle, 840'000);
  EXPECT_LT(middle, 960'000);
}

TEST(PairSample, the_order_of_flags_does_not_matter_nor_how_often_they_come) {
  auto copies = random_copies(1000);
  const auto wanted = seqs(sample_of(copies));
  std::ranges::shuffle(copies, std::mt19937(3));
  EXPECT_EQ(seqs(sample_of(copies)), wanted);
  copies.insert(copies.end(), copies.begin(), copies.begin() + 500);
  EXPECT_EQ(seqs(sample_of(copies)), wanted);
}

TEST(PairSample, few_pairs_are_all_there_once) {
  for (const std::size_t count : {0, 1, 19, 20, 21, 35, 50}) {
    const auto found = seqs(sample_of(random_copies(count)));
    EXPECT_EQ(std::set<Seq>(found.begin(), found.end()).size(), count);
    EXPECT_EQ(found.size(), count);
  }
}

TEST(PairSample, below_the_threshold_is_as_far_as_above) {
  PairSample sample;
  for (Seq seq = 2; seq < 100; ++seq) add(sample, copy_of(1, "o", seq, 950'000));
  add(sample, copy_of(1, "o", 100, 700'000));
  const auto pairs = sample.pairs();
  EXPECT_EQ(pairs.front().document.seq, 100);
  EXPECT_TRUE(pairs.front().near);
}

TEST(PairSample, other_flags_and_long_ones_are_in_no_pair) {
  PairSample sample;
  sample.add({.status = Status::kUnique, .seq = 1}, {});
  ReadFlag exact = copy_of(1, "o", 2, kOne);
  exact.flag.status = Status::kExactDuplicate;
  add(sample, exact);
  EXPECT_EQ(sample.too_long(), 0);
  const std::string line(PairSample::kLongestFlag + 1, ' ');
  ReadFlag longest = copy_of(1, "o", 3);
  longest.evidence.line = line;
  add(sample, longest);
  EXPECT_EQ(sample.too_long(), 1);
  EXPECT_THAT(sample.pairs(), IsEmpty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
