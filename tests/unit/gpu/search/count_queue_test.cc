#include "gpu/search/count_queue.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <random>

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

using List = std::vector<std::uint16_t>;

class CountQueueTest : public testing::Test {
 protected:
  void add(CountQueue& queue, const std::vector<List>& lists, std::uint32_t first = 0) {
    const std::vector<DensePostings::Places> places(lists.begin(), lists.end());
    queue.add(places, first, *counts_);
  }

 private:
  std::unique_ptr<SegmentCounts> counts_ = std::make_unique<SegmentCounts>();
};

// Lists of random places, of which the last ones are in more lists.
std::vector<List> some_lists(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<List> lists(count);
  for (std::uint32_t place = 0; place < kSegmentObjects; ++place) {
    const std::uint32_t one_in = place % 1000 < 997 ? 16 : 2;
    for (List& list : lists) {
      if (random() % one_in == 0) list.push_back(static_cast<std::uint16_t>(place));
    }
  }
  return lists;
}

std::vector<MatchedObject> sorted_counts(const std::vector<List>& lists, std::uint32_t first) {
  std::vector<std::uint32_t> counts(kSegmentObjects);
  for (const List& list : lists) {
    for (const std::uint16_t place : list) ++counts[place];
  }
  std::vector<MatchedObject> objects;
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) objects.push_back({std::min(counts[i], 255u), first + i});
  }
  std::sort(objects.begin(), objects.end());
  return objects;
}

TEST_F(CountQueueTest, OrdersByCountThenByObject) {
  CountQueue queue(3);
  add(queue, {{4, 7, 9}, {4, 9}, {2, 7}, {9}});
  EXPECT_THAT(queue.best(),
              ElementsAre(MatchedObject{3, 9}, MatchedObject{2, 4}, MatchedObject{2, 7}));
  EXPECT_EQ(queue.audit_threshold(), 3);
}

TEST_F(CountQueueTest, TiesGoToTheSmallerObjectWhateverComesFirst) {
  CountQueue queue(2);
  add(queue, {{9, 7, 5, 3, 1}, {9, 7, 5, 3, 1}});
  EXPECT_THAT(queue.best(), ElementsAre(MatchedObject{2, 1}, MatchedObject{2, 3}));
}

TEST_F(CountQueueTest, ObjectsThatMatchNothingAreLeftOut) {
  CountQueue queue(5);
  add(queue, {});
  EXPECT_THAT(queue.best(), IsEmpty());
  add(queue, {{0, 65'535}, {}}, 65'536);
  EXPECT_THAT(queue.best(), ElementsAre(MatchedObject{1, 65'536}, MatchedObject{1, 131'071}));
  EXPECT_EQ(queue.audit_threshold(), 1);
}

// Theorem 3.1 and the bound of the entries, after each of several segments.
TEST_F(CountQueueTest, TheThresholdRisesToTheCountOfTheLastOnePlusOne) {
  for (const std::uint32_t most : {1u, 2u, 10u, 100u, 1000u}) {
    CountQueue queue(most);
    std::vector<MatchedObject> all;
    std::uint32_t threshold = 1;
    for (std::uint32_t segment = 0; segment < 4; ++segment) {
      const std::uint32_t first = segment * kSegmentObjects;
      const auto lists = some_lists(40, segment);
      add(queue, lists, first);
      const auto counted = sorted_counts(lists, first);
      all.insert(all.end(), counted.begin(), counted.end());
      std::sort(all.begin(), all.end());
      ASSERT_THAT(queue.best(), ElementsAreArray(all.data(), most)) << most;
      EXPECT_EQ(queue.audit_threshold() - 1, all[most - 1].count) << most;
      EXPECT_GE(queue.audit_threshold(), threshold);
      threshold = queue.audit_threshold();
      EXPECT_LE(queue.entries(), std::uint64_t{most} * threshold) << most;
    }
  }
}

TEST_F(CountQueueTest, LaterSegmentsEnterWithHigherCountsOnly) {
  CountQueue queue(2);
  add(queue, {{5, 6}, {5, 6}}, 0);
  add(queue, {{0, 1}, {0, 1}, {1}}, 65'536);
  EXPECT_THAT(queue.best(), ElementsAre(MatchedObject{3, 65'537}, MatchedObject{2, 5}));
  add(queue, {{3}, {3}}, 131'072);
  EXPECT_THAT(queue.best(), ElementsAre(MatchedObject{3, 65'537}, MatchedObject{2, 5}));
  EXPECT_EQ(queue.audit_threshold(), 3);
}

TEST_F(CountQueueTest, CountsStayAt255) {
  const List both{8, 3};
  std::vector<List> lists(254, both);
  for (const std::size_t more : {0, 1, 2, 300}) {
    std::vector<List> longer = lists;
    longer.resize(lists.size() + more, both);
    longer.push_back({3});
    for (const std::uint32_t most : {1u, 2u, 3u}) {
      CountQueue queue(most);
      add(queue, longer);
      EXPECT_THAT(queue.best(), ElementsAreArray(sorted_counts(longer, 0).data(),
                                                 std::min<std::size_t>(most, 2)));
    }
  }
}

// With the highest threshold there is, the counters still do not overflow.
TEST_F(CountQueueTest, CountsStayAt255InLaterSegments) {
  CountQueue queue(1);
  const std::vector<List> lists(600, List{3, 4});
  add(queue, lists, 0);
  EXPECT_EQ(queue.audit_threshold(), 256);
  add(queue, lists, 65'536);
  EXPECT_THAT(queue.best(), ElementsAre(MatchedObject{255, 3}));
}

}  // namespace
}  // namespace neardup::TEST_FILE
