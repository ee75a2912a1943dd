#include "service/kafka/kafka_service.h"

#include <chrono>
#include <thread>
#include <utility>

#include "gpu/backend.h"
#include "gpu/backends.h"
#include "pipeline/base/failure.h"
#include "pipeline/state_keys.h"
#include "service/ingest/check_service.h"
#include "service/kafka/client/client_conf.h"
#include "service/kafka/cluster/cluster_topics.h"
#include "service/kafka/cluster/log/batch_of_log.h"
#include "service/kafka/deliver/kafka_delivery.h"
#include "service/kafka/message/message_decoder.h"
#include "service/kafka/monitor/service_monitor.h"
#include "service/kafka/produce/input_writer.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/start/delivered_order.h"
#include "service/kafka/start/start_checks.h"
#include "service/kafka/store/batch_text.h"
#include "service/kafka/store/state_head.h"
#include "service/log/gpu_log.h"
#include "service/log/notice_log.h"
#include "service/log/rate_log.h"
#include "service/pipeline_options.h"
#include "service/search/service_searches.h"
#include "service/state/state_order.h"
#include "storage/stores.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr std::uint64_t kQualityShare = 64;  // 1/64 of storage.memory for the quality check
constexpr std::uint64_t kLargestMessage = std::uint64_t{1} << 31;  // of the log
constexpr double kLongWait = 10;  // seconds that a commit waits until not ready

// Drains while another exception is being handled, which matters more than one of the drain.
bool drain_if_possible(DeliveryThread& thread) {
  try {
    thread.drain();
    return true;
  } catch (...) {
    return false;
  }
}

// Requests may write deletes during its lifetime.
class OpenDeletes {
 public:
  OpenDeletes(const Config& config, const std::atomic<bool>& abandoned, Control& control, Log& log)
      : deletes_(config, abandoned, log), open_(control.delete_writer(), write_) {}

 private:
  InputDeletes deletes_;
  const Control::DeleteWriter write_ = [this](const auto& name_space, const auto& ids) {
    deletes_.write(name_space, ids);
  };
  OpenShared<const Control::DeleteWriter> open_;
};

KafkaOptions options_of(const Config& config) {
  return config.cluster.role == ClusterRole::kDecider ? decider_kafka(config) : config.kafka;
}

AnswerMode answer_mode_of(const Config& config) {
  return {config.output.mode, config.cluster.role == ClusterRole::kAll};
}

// A decider has a position in the log, and appends to the decisions.
std::vector<std::string> watched_topics(const Config& config) {
  if (config.cluster.role != ClusterRole::kDecider) return config.kafka.topics;
  return {config.cluster.log_topic(), config.cluster.decisions_topic()};
}

std::string remedy_of(const Config& config) {
  if (config.cluster.role == ClusterRole::kDecider) return remedy_of_new_topic(config.cluster);
  return "To continue with the new topic from its beginning, start once with --skip-gap: its "
         "records count as new.";
}

Assignment assignment_of(const KafkaOptions& options) {
  return {options.topics, options.instance, options.instances};
}

}  // namespace

KafkaService::KafkaService(const ServiceContext& context, DocumentsPorts ports, std::string url)
    : config_(context.config),
      kafka_(options_of(config_)),
      rule_(context.rule),
      switches_(context.switches),
      log_(context.log),
      health_(context.health),
      control_(context.control),
      ports_(ports),
      url_(std::move(url)),
      stop_(context.stop),
      events_(log_),
      metrics_(context.registry, health_),
      kafka_metrics_(context.registry, events_),
      watch_(kLongestCall, end_process(log_)),
      reading_([this] { return reading_ends(); }, events_, log_),
      delivering_([this] { return delivering_ends(); }, events_, log_),
      consumer_(kafka_, events_),
      topics_(kafka_, watched_topics(config_), remedy_of(config_), events_),
      look_at_topics_(topics_, log_),
      deliverer_([this] { return make_sender(); },
                 [this](const StoredBatch& batch) { return make_writer(batch); },
                 kafka_.order_topic.empty() ? "" : transactional_id(kafka_), consumer_, topics_,
                 delivering_, metrics_.events()),
      waits_(ports.documents.requests()) {
  if (config_.cluster.role != ClusterRole::kDecider) return;
  decider_.emplace(config_, rule_, consumer_, reading_, watch_, metrics_.events(), log_);
}

// RetryPolicy calls these often, so they also report a sign of life to the watchdog.
bool KafkaService::reading_ends() {
  watch_.alive(ServiceStage::kReader);
  return stop_ || failed_ || lost_lease();
}

bool KafkaService::delivering_ends() {
  watch_.alive(ServiceStage::kSender);
  return serving_ ? abandoned_.load() : stop_.load();
}

std::unique_ptr<Sender> KafkaService::make_sender() {
  if (kafka_.guarantee == Guarantee::kExactlyOnce)
    return make_transactional_sender(kafka_, delivering_);
  return make_idempotent_sender(kafka_, consumer_, delivering_);
}

MessageWriter KafkaService::make_writer(const StoredBatch& batch) const {
  return {answer_mode_of(config_), batch.rule.fingerprint, batch.rule.threshold, limits_,
          partition_of(batch)};
}

bool KafkaService::run() {
  try {
    return start_and_serve();
  } catch (const KafkaError& error) {
    // RetryPolicy has retried all errors that pass with time.
    throw Failure(Exit::kUnavailable, std::string("kafka: ") + error.what());
  }
}

bool KafkaService::start_and_serve() {
  std::optional<Recovered> recovered;
  try {
    open();
    if (decider_) follow();
    if (stop_) return true;  // nothing was sent
    recovered = recover_state();
  } catch (const Stopped&) {
    return true;  // nothing was read
  }
  serving_ = true;
  std::jthread monitor([this](const std::stop_token& ended) { watch(ended); });
  try {
    serve(*recovered, false);
  } catch (const Stopped&) {
    return false;
  }
  if (lost_lease()) {
    throw Failure(Exit::kUnavailable,
                  "lost the log lease to another decider; shutting down, no data is lost");
  }
  return true;
}

// Opens the state and checks the topics.
void KafkaService::open() {
  health_.set_not_ready("connecting to Kafka");
  StorageOptions storage = config_.storage;
  storage.statistics = true;
  store_ = open_store(storage, OpenMode::kReadWrite);
  shown_store_ = metrics_.show_store(*store_, storage.memory, storage.path);
  require_same_rule(*store_, rule_);
  require_order_of_topics(*store_);
  opened_ = control_.state_opened(url_, *store_);
  if (decider_) {
    TopicIds ids = ids_of_state(read_head(*store_), consumer_, config_.cluster, reading_);
    ids.erase(config_.cluster.decisions_topic());  // it has no position there
    topics_.begin(ids, reading_);
    decider_->open();
  }
  limits_ = check_start(kafka_, config_.output.mode, switches_.create_topics, consumer_, reading_);
  layout_ = layout_text(kafka_, await_cluster_id(consumer_, reading_));
  layout_change_ = layout_change(*store_, layout_, switches_.change_layout);
}

// Everything before the first record: recovers from a crash.
Recovered KafkaService::recover_state() {
  health_.set_not_ready("recovering");
  metrics_.set_state(ServiceState::kRecovering);
  const auto progress = [this](std::uint64_t batches, std::uint64_t sent) {
    kafka_metrics_.recovery().batches = batches;
    kafka_metrics_.recovery().sent = sent;
  };
  Recovered recovered =
      decider_ ? recover_log(log_options(), *store_, consumer_, deliverer_, topics_, reading_)
               : recover({assignment_of(kafka_), kafka_.start, config_.output.mode, layout_,
                          !kafka_.order_topic.empty(), layout_change_, switches_.trust_state,
                          switches_.skip_gap, progress},
                         *store_, consumer_, deliverer_, topics_, reading_);
  const StateHead& committed = recovered.replay ? *recovered.replay : recovered.head;
  kafka_metrics_.partitions().committed(committed.positions, steady_clock::now());
  log_.info("recovered", {{"batch", recovered.head.mark.batch},
                          {"next_seq", recovered.head.mark.next_seq},
                          {"state", recovered.head.mark.state},
                          {"replay", recovered.replay.has_value()}});
  return recovered;
}

LogRecoveryOptions KafkaService::log_options() const {
  return decider_->recovery(layout_, switches_.trust_state);
}

// Follows the leader until this process acquires the lease.
void KafkaService::follow() {
  const LogRecoveryOptions options = log_options();
  const StateHead head = open_log_state(options, *store_);
  require_log(options.log, head, consumer_, reading_);
  decider_->join();
  std::jthread monitor([this](const std::stop_token& ended) { watch(ended); });
  serve({head, {}, {}, outbox_up_to(*store_, head.mark.batch)}, true);
  abandoned_ = false;
  if (!stop_) decider_->lead();
}

std::unique_ptr<Source> KafkaService::make_source(Positions positions,
                                                  std::optional<std::int64_t> end_batch_at) {
  auto topics = read_topics(std::move(positions), end_batch_at);
  return decider_ ? decider_->read(std::move(topics), *store_) : std::move(topics);
}

std::unique_ptr<KafkaSource> KafkaService::read_topics(Positions positions,
                                                       std::optional<std::int64_t> end_batch_at) {
  KafkaSourceOptions options;
  options.assignment = assignment_of(kafka_);
  options.max_record_bytes = decider_ ? kLargestMessage : config_.input.max_record_bytes;
  options.linger = milliseconds(config_.batch.linger_ms);
  options.idle_commit = seconds(kafka_.idle_commit_seconds);
  options.refresh = metadata_refresh(kafka_);
  options.skip_gap = switches_.skip_gap;
  options.topics = &topics_;
  options.may_be_made_again = !decider_;
  return std::make_unique<KafkaSource>(consumer_, std::move(positions), options, end_batch_at,
                                       reading_, watch_, metrics_.events());
}

std::unique_ptr<ReplaySource> KafkaService::make_replay(const Recovered& recovered,
                                                        const RuleStamp& rule, ReplayCheck& check) {
  const CommitMetadata& from = recovered.head.mark;
  const CommitMetadata& target = recovered.replay->mark;
  const KafkaOptions& kafka = kafka_;
  auto order = recovered.order == OrderFrom::kOrderTopic
                   ? make_topic_order(consumer_, kafka.order_topic, transactional_id(kafka), from,
                                      target, topics_.ask(reading_), reading_)
                   : make_output_order(consumer_, kafka.output_topic, assignment_of(kafka), rule,
                                       from.next_seq, target.next_seq, reading_);
  return std::make_unique<ReplaySource>(std::move(order), recovered.head, *recovered.replay,
                                        config_.input.max_record_bytes, consumer_, check, reading_,
                                        watch_);
}

void KafkaService::serve(const Recovered& recovered, bool follows) {
  const auto backend = make_backend(config_.backend_options(), rule_.plan);
  DeliveryThread thread(
      config_.batch.in_flight, recovered.head.mark.batch,
      [this](const DecidedBatch& batch) { deliver(batch); }, [this] { failed_ = true; });
  const AtEnd abandon(abandoned_);  // stops retries, which ~DeliveryThread would wait for
  const RuleStamp rule{rule_fingerprint(rule_text(rule_)), rule_.decision.threshold};
  ReplayCheck check(rule);
  const bool ordered = recovered.replay && recovered.order != OrderFrom::kInput;
  KafkaDelivery delivery(recovered.head, recovered.replay, ordered ? &check : nullptr,
                         recovered.stored, rule, answer_mode_of(config_),
                         seconds(kafka_.idle_commit_seconds), thread, watch_, log_);
  QualityCheck quality(rule_, config_.cpu.simd, config_.storage.memory / kQualityShare);
  Pipeline pipeline(make_pipeline_options(config_, rule_), *backend, *store_, delivery);
  pipeline.report_to(metrics_.events());
  pipeline.watch_quality(quality);
  const auto shown_quality = metrics_.show_quality(quality);
  const auto shown_backend = metrics_.show_backend(*backend, rule.fingerprint);
  const auto shown_outbox = kafka_metrics_.show_outbox(thread);
  if (decider_) {
    delivery.complete_by([this](const WriteSet& writes, StoredBatch& batch) {
      add_log(decider_->cluster(), writes, batch);
    });
  }
  if (follows) delivery.follow(decider_->delivered());
  const auto tell_replay = [&] {
    control_.set_catching_up(follows || delivery.replaying());
    kafka_metrics_.recovery().replay_records = delivery.replay_left();
    metrics_.set_state(follows                ? ServiceState::kFollowing
                       : delivery.replaying() ? ServiceState::kReplaying
                                              : ServiceState::kServing);
  };
  tell_replay();
  watch_.waits_for(ServiceStage::kDecider, [this] { return store_->commit_wait().progress; });
  const Watchdog watchdog(watch_);
  NoticeLog notices(log_);
  const auto notice = [&](const NoticeCounts& counts) {
    metrics_.events().count_notices(counts);
    notices.show(counts);
  };
  const ServiceSearches searches(*store_, rule_, config_, control_, notice, log_);
  CheckService checks(config_, rule_, false, *store_, control_.reads(), ports_.checks, notice,
                      log_);
  std::optional<InputWriter> writer;
  std::optional<OpenDeletes> deletes;
  if (!follows && !config_.kafka.topics.empty()) {
    writer.emplace(config_, ports_.documents, waits_, abandoned_, log_);
    if (decider_) deletes.emplace(config_, abandoned_, control_, log_);
  }
  pipeline.answer_reads(control_.reads());
  health_.set_ready();
  log_.info(follows ? "following" : "serving", {{"backend", backend->description()},
                                                {"partitions", recovered.head.positions.size()},
                                                {"rule", rule.fingerprint}});
  RateLog rates(log_);
  GpuLog gpu(log_);
  const std::atomic<bool> never{false};  // the source ends by itself
  const auto run = [&](Source& source) {
    pipeline.run(
        source,
        [this] {
          return std::make_unique<MessageDecoder>(config_.input, config_.text, config_.output);
        },
        never,
        [&](const PipelineCounts& counts) {
          tell_replay();
          rates.show(counts);
          gpu.show(backend->report());
          notices.show(counts.notices);
        },
        &control_.tasks());
  };
  try {
    if (ordered) {
      replay_ = make_replay(recovered, rule, check);
      run(*replay_);
    }
    if (follows) {
      source_ = decider_->follow(read_topics(recovered.head.positions, {}),
                                 recovered.head.positions.front(), *store_);
      took_topics_ = true;
      run(*source_);
    } else if (!ordered || !delivery.replaying()) {
      std::optional<std::int64_t> end_batch_at;
      if (delivery.replaying()) end_batch_at = recovered.replay->positions.front().offset;
      source_ = make_source(delivery.positions(), end_batch_at);
      took_topics_ = true;
      run(*source_);
    }
  } catch (const Stopped&) {
    // The reader was stopped while it waited for brokers. The drain is the same as after its end.
  } catch (const TopicMadeAgain&) {
    failed_ = true;
    const bool drained = drain_if_possible(thread);
    if (drained && !decider_ && !delivery.replaying()) commit_again(delivery.head());
    throw;
  } catch (...) {
    // Stored batches are still delivered: their messages are in memory now.
    failed_ = true;
    drain_if_possible(thread);
    throw;
  }
  thread.drain();
  delivery.forget_delivered(*store_);
  if (const auto failure = this->failure()) {
    if (!decider_ && !delivery.replaying()) commit_again(delivery.head());
    std::rethrow_exception(failure);
  }
  rates.summary(pipeline.counts());
  gpu.summary(backend->report());
}

void KafkaService::deliver(const DecidedBatch& batch) {
  const Busy busy(watch_, ServiceStage::kSender);
  const BatchScope scope(batch.stored);
  const auto start = steady_clock::now();
  deliverer_.deliver(batch);
  waits_.offer(batch.stored);
  control_.flags().publish(flag_blocks_of(batch.stored));
  kafka_metrics_.partitions().committed(batch.stored.to, steady_clock::now());
  const std::chrono::duration<double> time = steady_clock::now() - start;
  log_.debug("batch delivered", {{"flags", batch.stored.flags.size()}, {"seconds", time.count()}});
}

// Kafka has forgotten the offsets of a topic that was deleted, and with the last of them what is
// delivered. They come back with the id of the old topic.
void KafkaService::commit_again(const StateHead& head) {
  DecidedBatch nothing;
  nothing.stored.to = head.positions;
  nothing.stored.after = head.mark;
  try {
    deliverer_.deliver(nothing);
  } catch (...) {
    // The next start says what is missing.
  }
}

std::string KafkaService::trouble() const {
  if (std::string reason = deliverer_.not_ready_reason(); !reason.empty()) return reason;
  if (store_->commit_wait().seconds >= kLongWait) {
    return "the index is being merged, the input waits for it";
  }
  return {};
}

void KafkaService::look_at_topics() {
  if (failed_ || !took_topics_) return;
  try {
    look_at_topics_.step();
  } catch (const TopicMadeAgain&) {
    const MutexLock lock(mutex_);
    failure_ = std::current_exception();
    failed_ = true;
  }
}

std::exception_ptr KafkaService::failure() {
  const MutexLock lock(mutex_);
  return failure_;
}

void KafkaService::watch(const std::stop_token& ended) {
  const MonitorOptions options{
      kafka_.topics.front(), seconds(config_.shutdown.drain_seconds),
      "Kafka does not respond; stored batches are delivered at the next start"};
  const MonitorAsks asks{.ends = [this] { return stop_ || failed_; },
                         .trouble = [this] { return trouble(); },
                         .step =
                             [this](bool reachable) {
                               if (reachable) look_at_topics();
                               if (decider_) decider_->check_lease();
                               waits_.expire(steady_clock::now());
                             }};
  ServiceMonitor(options, asks, stop_, abandoned_, consumer_, events_, metrics_, kafka_metrics_,
                 health_, log_)
      .run(ended);
}

}  // namespace neardup
