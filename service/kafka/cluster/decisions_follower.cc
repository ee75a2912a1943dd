#include "service/kafka/cluster/decisions_follower.h"

#include <utility>

namespace neardup {

DecisionsFollower::DecisionsFollower(const Consumer& consumer, const ClusterOptions& options,
                                     const ClusterHead& head, Log& log)
    : reader_(consumer, options, head.uuid, head.end, log), last_(head.last) {}

void DecisionsFollower::poll() {
  while (auto message = reader_.poll(std::chrono::milliseconds(0))) {
    const MutexLock lock(mutex_);
    last_ = std::move(message->decided);
  }
}

Decided DecisionsFollower::last() const {
  const MutexLock lock(mutex_);
  return last_;
}

}  // namespace neardup
