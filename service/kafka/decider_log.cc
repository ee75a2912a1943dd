#include "service/kafka/decider_log.h"

#include <utility>

#include "service/kafka/cluster/cluster_checks.h"
#include "service/kafka/cluster/log/log_source.h"

namespace neardup {

DeciderLog::DeciderLog(const Config& config, const Rule& rule, const Consumer& consumer,
                       RetryPolicy& retry, StageWatch& watch, KafkaProbe& probe, Log& log)
    : config_(config),
      rule_(rule),
      consumer_(consumer),
      retry_(retry),
      watch_(watch),
      probe_(probe),
      log_(log),
      lease_(config, log) {}

void DeciderLog::open() {
  head_ = read_cluster_head(consumer_, config_.cluster, rule_, retry_);
  check_cluster(config_, ClusterUse::kDecide, false, consumer_, retry_);
}

LogRecoveryOptions DeciderLog::recovery(const std::string& layout, bool trust_state) const {
  return {{config_.cluster.log_topic(), 0}, head_.uuid, head_.first, layout, trust_state};
}

std::unique_ptr<Source> DeciderLog::read(std::unique_ptr<KafkaSource> messages, Store& store) {
  return std::make_unique<LogSource>(std::move(messages), rule_, head_.uuid, read_log_state(store),
                                     config_.cpu.simd, probe_, log_);
}

std::unique_ptr<Source> DeciderLog::follow(std::unique_ptr<KafkaSource> messages,
                                           const Position& start, Store& store) {
  KafkaSource& of_log = *messages;
  return std::make_unique<FollowSource>(
      read(std::move(messages), store), of_log, start, consumer_, delivered_,
      [this] { return lease_.holds(); }, retry_, watch_);
}

}  // namespace neardup
