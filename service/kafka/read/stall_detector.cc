#include "service/kafka/read/stall_detector.h"

#include <utility>

namespace neardup {

std::optional<std::size_t> StallDetector::look(const Positions& positions, const Consumer& consumer,
                                               Log& log) {
  const Positions before = std::exchange(before_, positions);
  std::vector<TopicPartition> partitions;
  for (const Position& now : positions) partitions.push_back(now.partition);
  const Positions ends = consumer.ends(partitions);
  std::optional<std::size_t> cut_off;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Position& now = positions[i];
    const Position* then = find(before, now.partition);
    const Position* end = find(ends, now.partition);
    if (then == nullptr || then->offset != now.offset || end == nullptr) continue;
    if (end->offset < now.offset) cut_off = i;
    if (end->offset <= now.offset) continue;
    log.error("partition stalled",
              {{"partition", to_text(now.partition)},
               {"offset", now.offset},
               {"end", end->offset},
               {"detail",
                "records are there but cannot be read; docs/operations.md says how to skip them"}});
  }
  return cut_off;
}

}  // namespace neardup
