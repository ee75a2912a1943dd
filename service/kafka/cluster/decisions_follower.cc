#include "service/kafka/cluster/decisions_follower.h"

#include <utility>

#include "service/kafka/read/reading.h"

namespace neardup {

DecisionsFollower::DecisionsFollower(const Consumer& consumer, const ClusterOptions& options,
                                     const ClusterHead& head, Log& log)
    : topic_(options.decisions_topic()),
      cluster_(head.uuid),
      errors_(log, kBetweenReadErrors),
      reader_(consumer.read({{{topic_, 0}, head.end}})),
      last_(head.last) {}

void DecisionsFollower::poll() {
  while (const KafkaMessage message = reader_->poll(0)) {
    switch (message->err) {
      case RD_KAFKA_RESP_ERR_NO_ERROR: {
        Decided decided = read_decided(*message, cluster_);
        const MutexLock lock(mutex_);
        last_ = std::move(decided);
        break;
      }
      case RD_KAFKA_RESP_ERR__PARTITION_EOF:
        break;
      default:
        require_kept(*message);
        on_read_error(topic_, *message, errors_);
    }
  }
}

Decided DecisionsFollower::last() const {
  const MutexLock lock(mutex_);
  return last_;
}

}  // namespace neardup
