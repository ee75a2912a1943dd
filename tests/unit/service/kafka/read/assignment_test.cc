#include "service/kafka/read/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace neardup::TEST_FILE {
namespace {

using Partitions = std::vector<TopicPartition>;

TEST(Assignment, OfOneInstanceIsEverythingTopicByTopic) {
  const Assignment all{{"b", "a"}, 0, 1};
  EXPECT_EQ(all.partitions({{"a", 1}, {"b", 2}}), (Partitions{{"b", 0}, {"b", 1}, {"a", 0}}));
}

TEST(Assignment, OfSeveralInstancesTakesEachPartitionOnce) {
  Partitions taken;
  for (std::uint32_t instance = 0; instance < 3; ++instance) {
    for (const TopicPartition& one :
         Assignment{{"a", "b"}, instance, 3}.partitions({{"a", 7}, {"b", 2}})) {
      EXPECT_EQ(static_cast<std::uint32_t>(one.partition) % 3, instance);
      taken.push_back(one);
    }
  }
  std::ranges::sort(taken);
  EXPECT_EQ(taken, (Partitions{{"a", 0},
                               {"a", 1},
                               {"a", 2},
                               {"a", 3},
                               {"a", 4},
                               {"a", 5},
                               {"a", 6},
                               {"b", 0},
                               {"b", 1}}));
}

TEST(Assignment, OfATopicThatIsNotThereIsEmpty) {
  EXPECT_TRUE((Assignment{{"a"}, 0, 1}.partitions({{"a", 0}}).empty()));
}

}  // namespace
}  // namespace neardup::TEST_FILE
