#include "service/kafka/read/assignment.h"

#include <algorithm>

namespace neardup {

bool Assignment::has(const TopicPartition& partition) const {
  return static_cast<std::uint32_t>(partition.partition) % instances == instance &&
         std::ranges::find(topics, partition.topic) != topics.end();
}

std::vector<TopicPartition> Assignment::partitions(
    const std::map<std::string, std::int32_t>& counts) const {
  std::vector<TopicPartition> assigned;
  for (const std::string& topic : topics) {
    const auto count = counts.find(topic);
    if (count == counts.end()) continue;
    for (std::int32_t p = 0; p < count->second; ++p) {
      if (has({topic, p})) assigned.push_back({topic, p});
    }
  }
  return assigned;
}

}  // namespace neardup
