// `neardup serve` as a shard: keeps the documents of its blocks, as the topic of decisions says,
// and answers what is in the log and not decided yet.
//
//   decisions → state; log → answers, as of the last decision in the state
//
// Answers are of what is stored alone, so a shard that is killed resumes from its state, and any
// number of replicas may answer. A shard without anything to answer says each second how far it is.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "config/config.h"
#include "metrics/registry.h"
#include "pipeline/rule/rule.h"
#include "pipeline/shard/shard.h"
#include "service/control/control.h"
#include "service/http/health.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/cluster/decisions_reader.h"
#include "service/kafka/cluster/log/log_reader.h"
#include "service/kafka/cluster/log/undecided_log.h"
#include "service/kafka/cluster/shard/answer_writer.h"
#include "service/kafka/cluster/shard/shard_state.h"
#include "service/kafka/cluster/shard/shard_work.h"
#include "service/kafka/monitor/kafka_metrics.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/topic_watch.h"
#include "service/log/log.h"
#include "service/monitor/service_metrics.h"
#include "service/monitor/watchdog.h"
#include "service/serve/service_context.h"
#include "storage/store.h"

namespace neardup {

class ShardService {
 public:
  // `url`: of the control requests, which is announced to commands.
  ShardService(const ServiceContext& context, std::string url);

  // Runs until it is stopped. What is applied by then is stored. Throws Failure.
  void run();

 private:
  void start();
  void serve();
  void step();
  bool take_decisions();
  bool answer();
  std::size_t write(Answer answer);
  void answer_with_new_producer(const KafkaError& error);
  void show_place();
  void watch(const std::stop_token& ended);
  std::string trouble() const;

  const Config& config_;
  const KafkaOptions kafka_;
  const Rule& rule_;
  Log& log_;
  Health& health_;
  Control& control_;
  const std::string url_;
  const std::atomic<bool>& stop_;
  std::atomic<bool> abandoned_{false};
  std::atomic<bool> ended_{false};         // the work, by a failure
  std::atomic<std::uint64_t> behind_{0};   // records that are decided and not applied
  std::atomic<std::uint64_t> reached_{0};  // the first record that is not applied
  ClientEvents events_;
  ServiceMetrics metrics_;
  KafkaMetrics kafka_metrics_;
  StageWatch watch_;
  RetryPolicy retry_;  // stops with `stop`
  Consumer consumer_;
  TopicWatch topics_;
  TopicLook look_at_topics_;
  std::unique_ptr<Store> store_;
  ServiceMetrics::Shown shown_store_;
  std::unique_ptr<Control::OpenState> opened_;
  ClusterHead head_;  // as of the start
  ShardIdentity identity_;
  std::optional<Shard> shard_;
  std::optional<UndecidedLog> undecided_;
  std::optional<ShardWork> work_;
  std::unique_ptr<DecisionsReader> decisions_;
  std::unique_ptr<LogReader> messages_;
  std::unique_ptr<AnswerWriter> answers_;
  std::chrono::steady_clock::time_point last_answer_;  // when it was written
};

}  // namespace neardup
