#include "service/kafka/read/partition_board.h"

#include <algorithm>

namespace neardup {

void PartitionBoard::committed(const Positions& positions, Clock::time_point now) {
  const MutexLock lock(mutex_);
  for (const Position& position : positions) {
    const auto [at, added] = entries_.try_emplace(position.partition);
    Entry& entry = at->second;
    if (added || entry.committed != position.offset) entry.moved = now;
    entry.committed = position.offset;
  }
}

void PartitionBoard::keep(const std::vector<TopicPartition>& partitions) {
  const MutexLock lock(mutex_);
  std::erase_if(entries_, [&](const auto& entry) {
    return std::ranges::find(partitions, entry.first) == partitions.end();
  });
}

void PartitionBoard::begins(const Positions& positions) { set(&Entry::begin, positions); }

void PartitionBoard::ends(const Positions& positions) { set(&Entry::end, positions); }

void PartitionBoard::set(std::optional<std::int64_t> Entry::*where, const Positions& positions) {
  const MutexLock lock(mutex_);
  for (const Position& position : positions) {
    const auto at = entries_.find(position.partition);
    if (at != entries_.end()) at->second.*where = position.offset;
  }
}

std::vector<TopicPartition> PartitionBoard::partitions() const {
  const MutexLock lock(mutex_);
  std::vector<TopicPartition> partitions;
  for (const auto& [partition, entry] : entries_) partitions.push_back(partition);
  return partitions;
}

std::vector<PartitionBoard::Line> PartitionBoard::lines(Clock::time_point now) const {
  const MutexLock lock(mutex_);
  std::vector<Line> lines;
  for (const auto& [partition, entry] : entries_) {
    lines.push_back({partition, entry.committed, entry.begin, entry.end, now - entry.moved});
  }
  return lines;
}

}  // namespace neardup
