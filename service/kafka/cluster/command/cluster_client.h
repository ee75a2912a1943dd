// Access to Kafka for the commands on a cluster.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "config/config.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"
#include "service/log/log.h"

namespace neardup {

class ClusterClient {
 public:
  // The references must outlive this. Waits end once `stop` is true.
  ClusterClient(const Config& config, Log& log, const std::atomic<bool>& stop);

  const Config& config() const { return config_; }
  const Consumer& consumer() const { return consumer_; }
  ClientEvents& events() { return events_; }
  RetryPolicy& retry() { return retry_; }

  // Appends a message to the only partition of a topic, waits until all replicas have it, and
  // returns its offset. Throws KafkaError, Failure(kConfig) where it is not permitted, Stopped.
  std::int64_t append(const std::string& topic, const std::string& message);

 private:
  const Config& config_;
  const KafkaOptions options_;
  ClientEvents events_;
  RetryPolicy retry_;
  Consumer consumer_;
};

}  // namespace neardup
