// Which partitions an instance reads: p of each topic with p mod instances = instance.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "service/kafka/message/positions.h"

namespace neardup {

struct Assignment {
  std::vector<std::string> topics;
  std::uint32_t instance = 0;
  std::uint32_t instances = 1;

  bool has(const TopicPartition& partition) const;

  // Topic by topic in their order, partitions ascending. `counts`: partitions of each topic.
  std::vector<TopicPartition> partitions(const std::map<std::string, std::int32_t>& counts) const;
};

}  // namespace neardup
