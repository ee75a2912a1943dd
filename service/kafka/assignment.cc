#include "service/kafka/assignment.h"

namespace neardup {

std::vector<TopicPartition> Assignment::partitions(
    const std::map<std::string, std::int32_t>& counts) const {
  std::vector<TopicPartition> assigned;
  for (const std::string& topic : topics) {
    const auto count = counts.find(topic);
    if (count == counts.end()) continue;
    for (std::int32_t p = 0; p < count->second; ++p) {
      if (static_cast<std::uint32_t>(p) % instances == instance) assigned.push_back({topic, p});
    }
  }
  return assigned;
}

}  // namespace neardup
