// Deletes of a cluster's documents: messages without a value in the first input topic, which the
// log then has in its order.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "pipeline/base/mutex.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/deliver/producer.h"
#include "service/log/log.h"

namespace neardup {

class InputDeletes {
 public:
  // The references must outlive this. Once `abandoned` is true, what is not written yet is refused.
  InputDeletes(const Config& config, const std::atomic<bool>& abandoned, Log& log);

  // Any thread. Returns when the topic has all of them. Throws Failure(kUnavailable) when it may
  // have some of them only.
  void write(const std::string& name_space, const std::vector<std::string>& ids) EXCLUDES(mutex_);

 private:
  const KafkaOptions options_;  // the first input topic is its only output
  const std::atomic<bool>& abandoned_;
  ClientEvents events_;
  RetryPolicy retry_;
  Mutex mutex_;
  std::unique_ptr<Producer> producer_ GUARDED_BY(mutex_);  // null: made for the next call
};

}  // namespace neardup
