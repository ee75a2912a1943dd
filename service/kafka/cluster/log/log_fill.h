// How full the log of a cluster is: whether those who append to it wait.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "config/service_options.h"
#include "service/cluster/decided.h"
#include "service/kafka/cluster/log/log_appender.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

class LogFill {
 public:
  // The references must outlive this.
  LogFill(const Consumer& consumer, const ClusterOptions& options);

  // Asks the brokers for the end of the log, unless that was done a moment ago. To be called often,
  // by one thread.
  void look();

  // More bytes than cluster.log.max_lag are not decided. An estimate: it takes the messages of
  // others to be as long as those of `appender`. Any thread.
  bool is_full(const LogAppender& appender, const Decided& decided) const;

 private:
  const Consumer& consumer_;
  const ClusterOptions& options_;
  std::chrono::steady_clock::time_point next_look_;
  std::atomic<std::int64_t> end_{0};  // as last seen
};

}  // namespace neardup
