// `neardup serve` as a sketcher: input topics → the log of a cluster.
//
// Sketchers are an ordinary consumer group and keep nothing. What one appends twice, or after it
// was thought dead, counts once (service/cluster/log_order.h).
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "config/config.h"
#include "gpu/backend.h"
#include "metrics/registry.h"
#include "pipeline/base/mutex.h"
#include "pipeline/rule/rule.h"
#include "service/http/health.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/decisions_follower.h"
#include "service/kafka/cluster/group_member.h"
#include "service/kafka/cluster/log/log_appender.h"
#include "service/kafka/cluster/sketcher/sketching.h"
#include "service/kafka/monitor/kafka_metrics.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/kafka_source.h"
#include "service/kafka/read/topic_watch.h"
#include "service/log/gpu_log.h"
#include "service/log/log.h"
#include "service/log/notice_log.h"
#include "service/monitor/service_metrics.h"
#include "service/monitor/watchdog.h"
#include "service/serve/service_context.h"

namespace neardup {

class SketcherService {
 public:
  explicit SketcherService(const ServiceContext& context);

  // Runs until it is stopped. True: everything that was read is appended and committed. False: the
  // drain took longer than shutdown.drain_seconds, and the rest is read again by others. Throws
  // Failure.
  bool run();

 private:
  void start();
  void serve();
  void sketch(const Membership& membership, Backend& backend, GpuLog& gpu);
  Positions begin(const std::vector<TopicPartition>& partitions);
  void require_sources();
  void tell_restart(const CommittedOffset& committed, const SourceStart& start);
  std::int64_t first_offset(const SourceStart& start, const TopicPartition& partition);
  KafkaSourceOptions source_options();
  void throw_failure();
  void follow_decisions(bool reachable);
  void watch(const std::stop_token& ended);
  std::string trouble() const;

  const Config& config_;
  const Rule& rule_;
  const ServeSwitches& switches_;
  Log& log_;
  Health& health_;
  const std::atomic<bool>& stop_;
  const KafkaOptions log_options_;
  std::atomic<bool> failed_{false};
  std::atomic<bool> serving_{false};
  std::atomic<bool> abandoned_{false};
  std::atomic<bool> ready_{false};  // has its partitions, or none
  ClientEvents events_;
  ServiceMetrics metrics_;
  KafkaMetrics kafka_metrics_;
  StageWatch watch_;
  RetryPolicy reading_;     // stops with `stop` or a failure
  RetryPolicy committing_;  // once serving, stops only when the drain is abandoned
  Consumer consumer_;
  NoticeLog notices_;
  TopicWatch topics_;
  TopicLook look_at_topics_;  // of the monitor
  std::string cluster_;       // uuid
  MessageLimits limits_;
  LogFill fill_;
  std::unique_ptr<DecisionsFollower> decisions_;
  Mutex mutex_;
  std::exception_ptr failure_ GUARDED_BY(mutex_);  // of the monitor
  std::unique_ptr<GroupMember> member_;
  std::unique_ptr<LogAppender> appender_;
  // A member, since closing a source can hang: it is closed only after the outcome is reported.
  std::unique_ptr<KafkaSource> source_;
};

}  // namespace neardup
