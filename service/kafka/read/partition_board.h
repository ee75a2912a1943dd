// Where input partitions end, and what is committed of them, for metrics. Every call may come from
// any thread.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "pipeline/core/mutex.h"
#include "service/kafka/message/positions.h"

namespace neardup {

class PartitionBoard {
 public:
  using Clock = std::chrono::steady_clock;
  struct Line {
    TopicPartition partition;
    std::int64_t committed = 0;
    std::optional<std::int64_t> end;  // nothing: nobody has asked yet
    Clock::duration age{};            // since `committed` moved, or was first told
  };

  // These are committed now.
  void committed(const Positions& positions, Clock::time_point now);
  // Partitions that are not on the board are left out.
  void ends(const Positions& positions);

  std::vector<TopicPartition> partitions() const;
  std::vector<Line> lines(Clock::time_point now) const;

 private:
  struct Entry {
    std::int64_t committed = 0;
    Clock::time_point moved;
    std::optional<std::int64_t> end;
  };
  mutable Mutex mutex_;
  std::map<TopicPartition, Entry> entries_ GUARDED_BY(mutex_);
};

}  // namespace neardup
