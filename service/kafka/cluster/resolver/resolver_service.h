// `neardup serve` as a resolver: the log of a cluster and the answers of its shards → flags and
// decisions.
//
// Of all resolvers of a cluster one leads, that which the group has given the log to. The others
// wait. A resolver keeps nothing: flags, decisions and offsets are one transaction, and whoever
// leads next begins at the last one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <stop_token>
#include <string>

#include "config/config.h"
#include "metrics/registry.h"
#include "pipeline/base/mutex.h"
#include "pipeline/rule/rule.h"
#include "service/http/health.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/log_lease.h"
#include "service/kafka/cluster/resolver/resolver_leader.h"
#include "service/kafka/cluster/resolver/shard_waits.h"
#include "service/kafka/deliver/deliverer.h"
#include "service/kafka/deliver/delivery_thread.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/monitor/kafka_metrics.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/topic_watch.h"
#include "service/log/log.h"
#include "service/monitor/service_metrics.h"
#include "service/monitor/watchdog.h"
#include "service/serve/service_context.h"

namespace neardup {

class ResolverService {
 public:
  explicit ResolverService(const ServiceContext& context);

  // Runs until it is stopped. False: what was being delivered was not within
  // shutdown.drain_seconds; the next leader decides it again. Throws Failure, also when another
  // resolver has taken over.
  bool run();

 private:
  void start();
  void await_lease();
  bool lead();  // false: not drained in time
  MessageWriter make_writer(const StoredBatch& batch) const;
  void deliver(const DecidedBatch& batch);
  bool ends() const { return stop_ || failed_ || lease_.lost(); }
  void look(bool reachable);  // at the lease and the topics
  void throw_failure();
  std::string trouble() const;
  void watch(const std::stop_token& ended);

  const Config& config_;
  const KafkaOptions kafka_;  // what resolvers read and commit
  const Rule& rule_;
  const bool create_topics_;
  Log& log_;
  Health& health_;
  const std::atomic<bool>& stop_;
  std::atomic<bool> failed_{false};
  std::atomic<bool> leads_{false};
  std::atomic<bool> abandoned_{false};
  std::atomic<bool> ready_{false};  // leads, or waits for the lease
  ClientEvents events_;
  ServiceMetrics metrics_;
  KafkaMetrics kafka_metrics_;
  ShardWaits waits_;
  const std::unique_ptr<MetricRegistry::Attachment> shown_waits_;
  StageWatch watch_;
  RetryPolicy reading_;     // stops with `stop`, a failure or the lease
  RetryPolicy delivering_;  // once it leads, stops only when the drain is abandoned
  Consumer consumer_;
  TopicWatch topics_;
  std::string cluster_;  // uuid
  LogLease lease_;
  MessageLimits limits_;
  TopicLook look_at_topics_;  // of the monitor
  Deliverer deliverer_;
  Mutex mutex_;
  std::exception_ptr failure_ GUARDED_BY(mutex_);  // of the monitor
  // Members, since closing a reader can hang: they are closed only after the outcome is reported.
  std::unique_ptr<DeliveryThread> thread_;
  std::unique_ptr<ResolverLeader> leader_;
};

}  // namespace neardup
