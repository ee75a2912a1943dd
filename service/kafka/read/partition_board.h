// Where the input partitions begin and end, and their committed offsets, for metrics. Any thread
// may call it.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "pipeline/base/mutex.h"
#include "service/kafka/message/positions.h"

namespace neardup {

class PartitionBoard {
 public:
  using Clock = std::chrono::steady_clock;
  struct Line {
    TopicPartition partition;
    std::int64_t committed = 0;
    std::optional<std::int64_t> begin;  // nothing: not known yet
    std::optional<std::int64_t> end;    // as `begin`
    Clock::duration age{};              // since `committed` moved or was first set
  };

  // Sets the committed offsets of these partitions, and adds those that are new.
  void committed(const Positions& positions, Clock::time_point now);
  // Forgets all other partitions.
  void keep(const std::vector<TopicPartition>& partitions);
  // Set the offsets of begin and end; unknown partitions are ignored.
  void begins(const Positions& positions);
  void ends(const Positions& positions);

  std::vector<TopicPartition> partitions() const;
  std::vector<Line> lines(Clock::time_point now) const;

 private:
  struct Entry {
    std::int64_t committed = 0;
    Clock::time_point moved;
    std::optional<std::int64_t> begin;
    std::optional<std::int64_t> end;
  };
  void set(std::optional<std::int64_t> Entry::*where, const Positions& positions);

  mutable Mutex mutex_;
  std::map<TopicPartition, Entry> entries_ GUARDED_BY(mutex_);
};

}  // namespace neardup
