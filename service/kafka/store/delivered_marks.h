// The marks that another decider of the cluster has committed, on their way from the reader that
// follows it to the delivery that proves them.
#pragma once

#include <deque>
#include <optional>

#include "pipeline/base/mutex.h"
#include "service/kafka/store/recovery_plan.h"

namespace neardup {

class DeliveredMarks {
 public:
  // Positions ascend. Called by the reading thread.
  void expect(StateHead head) {
    const MutexLock lock(mutex_);
    expected_.push_back(std::move(head));
  }

  // The mark that was committed with just these positions of the log. Those before are forgotten.
  std::optional<CommitMetadata> take(const Positions& positions) {
    const MutexLock lock(mutex_);
    const std::int64_t offset = positions.front().offset;
    while (!expected_.empty() && expected_.front().positions.front().offset < offset)
      expected_.pop_front();
    if (expected_.empty() || expected_.front().positions != positions) return {};
    CommitMetadata mark = std::move(expected_.front().mark);
    expected_.pop_front();
    return mark;
  }

 private:
  Mutex mutex_;
  std::deque<StateHead> expected_ GUARDED_BY(mutex_);
};

}  // namespace neardup
