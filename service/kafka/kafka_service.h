// `neardup serve` from its start checks to its last commit, of one process or of the decider of a
// cluster. A decider follows the one that leads, until it leads itself.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "config/config.h"
#include "pipeline/base/mutex.h"
#include "pipeline/pipeline.h"
#include "service/control/control.h"
#include "service/http/health.h"
#include "service/ingest/documents_port.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/decider_log.h"
#include "service/kafka/deliver/deliverer.h"
#include "service/kafka/deliver/delivery_thread.h"
#include "service/kafka/monitor/kafka_metrics.h"
#include "service/kafka/produce/flag_waits.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/kafka_source.h"
#include "service/kafka/read/replay_source.h"
#include "service/kafka/read/topic_watch.h"
#include "service/kafka/start/recovery.h"
#include "service/log/log.h"
#include "service/monitor/service_metrics.h"
#include "service/serve/service_context.h"
#include "storage/store.h"

namespace neardup {

class KafkaService {
 public:
  // `url`: of the control requests, which is announced to commands.
  KafkaService(const ServiceContext& context, DocumentsPorts ports, std::string url);

  // Runs until it is stopped. True: everything decided is delivered. False: the drain took longer
  // than shutdown.drain_seconds, and the next start delivers the rest. Throws Failure.
  bool run();

 private:
  bool start_and_serve();
  void open();
  Recovered recover_state();
  void follow();
  void serve(const Recovered& recovered, bool follows);
  MessageWriter make_writer(const StoredBatch& batch) const;
  std::unique_ptr<Sender> make_sender();
  bool lost_lease() const { return decider_ && decider_->lost_lease(); }
  LogRecoveryOptions log_options() const;
  std::unique_ptr<KafkaSource> read_topics(Positions positions,
                                           std::optional<std::int64_t> end_batch_at);
  std::unique_ptr<Source> make_source(Positions positions,
                                      std::optional<std::int64_t> end_batch_at);
  std::unique_ptr<ReplaySource> make_replay(const Recovered& recovered, const RuleStamp& rule,
                                            ReplayCheck& check);
  void deliver(const DecidedBatch& batch);
  void commit_again(const StateHead& head);
  std::string trouble() const;
  void look_at_topics();
  std::exception_ptr failure();
  void watch(const std::stop_token& ended);
  bool reading_ends();
  bool delivering_ends();

  const Config& config_;
  const KafkaOptions kafka_;  // what this process reads and commits
  const Rule& rule_;
  const ServeSwitches& switches_;
  Log& log_;
  Health& health_;
  Control& control_;
  const DocumentsPorts ports_;
  const std::string url_;
  const std::atomic<bool>& stop_;
  std::atomic<bool> failed_{false};   // the delivery thread or the pipeline has failed
  std::atomic<bool> serving_{false};  // the start procedure is over
  std::atomic<bool> abandoned_{false};
  std::atomic<bool> took_topics_{false};  // the source has accepted recreated topics
  ClientEvents events_;
  ServiceMetrics metrics_;
  KafkaMetrics kafka_metrics_;
  StageWatch watch_;
  RetryPolicy reading_;     // stops with `stop` or a failure
  RetryPolicy delivering_;  // once serving, stops only when the drain is abandoned
  Consumer consumer_;
  TopicWatch topics_;
  TopicLook look_at_topics_;  // of the monitor
  Mutex mutex_;
  std::exception_ptr failure_ GUARDED_BY(mutex_);  // of the monitor
  std::unique_ptr<Store> store_;
  ServiceMetrics::Shown shown_store_;
  // Destroyed before the store unlocks the state: it must not remove the file of another process.
  std::unique_ptr<Control::OpenState> opened_;
  MessageLimits limits_;
  std::string layout_;
  LayoutChange layout_change_ = LayoutChange::kNone;
  std::optional<DeciderLog> decider_;
  Deliverer deliverer_;
  FlagWaits waits_;
  // Members, since closing a source can hang: they are closed only after the outcome is reported
  // (commands/serve.cc).
  std::unique_ptr<Source> replay_;
  std::unique_ptr<Source> source_;
};

}  // namespace neardup
