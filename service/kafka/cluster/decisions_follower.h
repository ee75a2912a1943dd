// Follows the topic of decisions of a cluster: the newest that was decided.
#pragma once

#include "pipeline/base/mutex.h"
#include "service/cluster/decided.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/decisions_reader.h"
#include "service/kafka/read/consumer.h"
#include "service/log/log.h"

namespace neardup {

class DecisionsFollower {
 public:
  // Goes on from `head`, as it was read. `consumer` and `log` must outlive this.
  DecisionsFollower(const Consumer& consumer, const ClusterOptions& options,
                    const ClusterHead& head, Log& log);

  // Takes what has come since the last call, without waiting for more. To be called often, by one
  // thread. Throws as DecisionsReader::poll does.
  void poll();

  // The last batch that was decided, as of the last poll. Any thread.
  Decided last() const;

 private:
  DecisionsReader reader_;
  mutable Mutex mutex_;
  Decided last_ GUARDED_BY(mutex_);
};

}  // namespace neardup
