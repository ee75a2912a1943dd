#include "service/kafka/decider_log.h"

#include <utility>

#include "service/kafka/cluster/cluster_checks.h"
#include "service/kafka/cluster/log/log_source.h"

namespace neardup {

DeciderLog::DeciderLog(ServiceRunner& runner)
    : runner_(runner),
      context_(runner.context()),
      kafka_(runner.kafka()),
      lease_(context_.config, context_.log) {}

void DeciderLog::open() {
  const Config& config = context_.config;
  head_ = read_cluster_head(kafka_.consumer, config.cluster, context_.rule, kafka_.reading);
  check_cluster(config, ClusterUse::kDecide, false, kafka_.consumer, kafka_.reading);
}

LogRecoveryOptions DeciderLog::recovery(const std::string& layout, bool trust_state) const {
  return {{context_.config.cluster.log_topic(), 0}, head_.uuid, head_.first, layout, trust_state};
}

std::unique_ptr<Source> DeciderLog::read(std::unique_ptr<KafkaSource> messages, Store& store) {
  const LogContext context{context_.rule, head_.uuid, context_.config.cpu.simd,
                           runner_.metrics().events(), context_.log};
  return std::make_unique<LogSource>(context, std::move(messages), read_log_state(store));
}

std::unique_ptr<Source> DeciderLog::follow(std::unique_ptr<KafkaSource> messages,
                                           const Position& start, Store& store) {
  KafkaSource& of_log = *messages;
  return std::make_unique<FollowSource>(
      runner_.read_context(), read(std::move(messages), store), of_log,
      Following{start, delivered_, [this] { return lease_.holds(); }});
}

}  // namespace neardup
