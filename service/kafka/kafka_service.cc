#include "service/kafka/kafka_service.h"

#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "gpu/backend.h"
#include "gpu/backends.h"
#include "pipeline/core/failure.h"
#include "pipeline/state_keys.h"
#include "service/cli/setup.h"
#include "service/cli/signals.h"
#include "service/ingest/check_service.h"
#include "service/kafka/client/client_conf.h"
#include "service/kafka/deliver/kafka_delivery.h"
#include "service/kafka/message/message_decoder.h"
#include "service/kafka/produce/input_writer.h"
#include "service/kafka/start/order_topic.h"
#include "service/kafka/start/output_order.h"
#include "service/kafka/start/start_checks.h"
#include "service/kafka/store/batch_flags.h"
#include "service/kafka/store/batch_scope.h"
#include "service/kafka/store/state_head.h"
#include "service/log/gpu_log.h"
#include "service/log/rate_log.h"
#include "service/search/service_searches.h"
#include "service/state/state_order.h"
#include "storage/stores.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr milliseconds kMonitorStep{100};
constexpr unsigned kManyFailures = 3;
constexpr seconds kBetweenLooks{5};          // between probes of the brokers
constexpr std::uint64_t kQualityShare = 64;  // 1/64 of storage.memory for the quality check
constexpr seconds kAbandonTime{1};           // from abandoning a drain to _Exit
constexpr seconds kLongestCall{300};         // of a library; a longer one counts as hung
constexpr double kLongWait = 10;             // seconds that a commit waits until not ready

// Sets a flag at the end of its scope.
class AtEnd {
 public:
  explicit AtEnd(std::atomic<bool>& flag) : flag_(flag) {}
  ~AtEnd() { flag_ = true; }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 private:
  std::atomic<bool>& flag_;
};

// Drains while another exception is being handled, which matters more than one of the drain.
void drain_if_possible(DeliveryThread& thread) {
  try {
    thread.drain();
  } catch (...) {
  }
}

Assignment assignment_of(const KafkaOptions& options) {
  return {options.topics, options.instance, options.instances};
}

}  // namespace

KafkaService::KafkaService(const Config& config, const Rule& rule, const ServeSwitches& switches,
                           Log& log, Health& health, Control& control, MetricRegistry& registry,
                           DocumentsPorts ports, std::string url, const std::atomic<bool>& stop)
    : config_(config),
      rule_(rule),
      switches_(switches),
      log_(log),
      health_(health),
      control_(control),
      ports_(ports),
      url_(std::move(url)),
      stop_(stop),
      events_(log),
      metrics_(registry, health, events_),
      watch_(kLongestCall, end_process(log)),
      reading_([this] { return reading_ends(); }, events_, log),
      delivering_([this] { return delivering_ends(); }, events_, log),
      consumer_(config.kafka, events_),
      deliverer_([this] { return make_sender(); },
                 [this](const StoredBatch& batch) { return make_writer(batch); },
                 config.kafka.order_topic.empty() ? "" : transactional_id(config.kafka), consumer_,
                 delivering_, metrics_.events()),
      waits_(ports.documents.requests()) {}

// RetryPolicy calls these often, so they also report a sign of life to the watchdog.
bool KafkaService::reading_ends() {
  watch_.alive(ServiceStage::kReader);
  return stop_ || failed_;
}

bool KafkaService::delivering_ends() {
  watch_.alive(ServiceStage::kSender);
  return serving_ ? abandoned_.load() : stop_.load();
}

std::unique_ptr<Sender> KafkaService::make_sender() {
  if (config_.kafka.guarantee == Guarantee::kExactlyOnce)
    return make_transactional_sender(config_.kafka, delivering_);
  return make_idempotent_sender(config_.kafka, consumer_, delivering_);
}

MessageWriter KafkaService::make_writer(const StoredBatch& batch) const {
  return {config_.output.mode, batch.rule.fingerprint, batch.rule.threshold, limits_,
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
    recovered = start();
  } catch (const Stopped&) {
    return true;  // nothing was read
  }
  serving_ = true;
  std::jthread monitor([this](const std::stop_token& ended) { watch(ended); });
  try {
    serve(*recovered);
    return true;
  } catch (const Stopped&) {
    return false;
  }
}

// Everything before the first record: opens the state, checks the topics, recovers from a crash.
Recovered KafkaService::start() {
  health_.set_not_ready("connecting to Kafka");
  StorageOptions storage = config_.storage;
  storage.statistics = true;
  store_ = open_store(storage, OpenMode::kReadWrite);
  shown_store_ = metrics_.show_store(*store_, storage.memory, storage.path);
  require_same_rule(*store_, rule_);
  require_order_of_topics(*store_);
  opened_ = control_.state_opened(url_, *store_);
  limits_ =
      check_start(config_.kafka, config_.output.mode, switches_.create_topics, consumer_, reading_);
  std::string cluster;
  reading_.until_done("asking for the cluster's id", [&] { cluster = consumer_.cluster_id(); });
  const std::string layout = layout_text(config_.kafka, cluster);
  const LayoutChange change = layout_change(*store_, layout, switches_.change_layout);
  health_.set_not_ready("recovering");
  metrics_.set_state(ServiceState::kRecovering);
  const auto progress = [this](std::uint64_t batches, std::uint64_t sent) {
    metrics_.recovery().batches = batches;
    metrics_.recovery().sent = sent;
  };
  Recovered recovered = recover({assignment_of(config_.kafka), config_.kafka.start,
                                 config_.output.mode, layout, !config_.kafka.order_topic.empty(),
                                 change, switches_.trust_state, switches_.skip_gap, progress},
                                *store_, consumer_, deliverer_, reading_);
  const StateHead& committed = recovered.replay ? *recovered.replay : recovered.head;
  metrics_.partitions().committed(committed.positions, steady_clock::now());
  log_.info("recovered", {{"batch", recovered.head.mark.batch},
                          {"next_seq", recovered.head.mark.next_seq},
                          {"state", recovered.head.mark.state},
                          {"replay", recovered.replay.has_value()}});
  return recovered;
}

std::unique_ptr<KafkaSource> KafkaService::make_source(Positions positions,
                                                       std::optional<std::int64_t> end_batch_at) {
  KafkaSourceOptions options;
  options.assignment = assignment_of(config_.kafka);
  options.max_record_bytes = config_.input.max_record_bytes;
  options.linger = milliseconds(config_.batch.linger_ms);
  options.idle_commit = seconds(config_.kafka.idle_commit_seconds);
  options.refresh = metadata_refresh(config_.kafka);
  options.skip_gap = switches_.skip_gap;
  return std::make_unique<KafkaSource>(consumer_, std::move(positions), options, end_batch_at,
                                       reading_, watch_, metrics_.events());
}

std::unique_ptr<ReplaySource> KafkaService::make_replay(const Recovered& recovered,
                                                        const RuleStamp& rule, ReplayCheck& check) {
  const CommitMetadata& from = recovered.head.mark;
  const CommitMetadata& target = recovered.replay->mark;
  const KafkaOptions& kafka = config_.kafka;
  auto order = recovered.order == OrderFrom::kOrderTopic
                   ? make_topic_order(consumer_, kafka.order_topic, transactional_id(kafka), from,
                                      target, reading_)
                   : make_output_order(consumer_, kafka.output_topic, assignment_of(kafka), rule,
                                       from.next_seq, target.next_seq, reading_);
  return std::make_unique<ReplaySource>(std::move(order), recovered.head, *recovered.replay,
                                        config_.input.max_record_bytes, consumer_, check, reading_,
                                        watch_);
}

void KafkaService::serve(const Recovered& recovered) {
  const auto backend = make_backend(config_.backend_options(), rule_.plan);
  DeliveryThread thread(
      config_.batch.in_flight, recovered.head.mark.batch,
      [this](const DecidedBatch& batch) { deliver(batch); }, [this] { failed_ = true; });
  const AtEnd abandon(abandoned_);  // stops retries, which ~DeliveryThread would wait for
  const RuleStamp rule{rule_fingerprint(rule_text(rule_)), rule_.decision.threshold};
  ReplayCheck check(rule);
  const bool ordered = recovered.replay && recovered.order != OrderFrom::kInput;
  KafkaDelivery delivery(recovered.head, recovered.replay, ordered ? &check : nullptr,
                         recovered.stored, rule, config_.output.mode,
                         seconds(config_.kafka.idle_commit_seconds), thread, watch_, log_);
  QualityCheck quality(rule_, config_.cpu.simd, config_.storage.memory / kQualityShare);
  Pipeline pipeline(make_pipeline_options(config_, rule_), *backend, *store_, delivery);
  pipeline.report_to(metrics_.events());
  pipeline.watch_quality(quality);
  const auto shown_quality = metrics_.show_quality(quality);
  const auto shown_backend = metrics_.show_backend(*backend, rule.fingerprint);
  const auto shown_outbox = metrics_.show_outbox(thread);
  const auto tell_replay = [&] {
    control_.set_catching_up(delivery.replaying());
    metrics_.recovery().replay_records = delivery.replay_left();
    metrics_.set_state(delivery.replaying() ? ServiceState::kReplaying : ServiceState::kServing);
  };
  tell_replay();
  watch_.waits_for(ServiceStage::kDecider, [this] { return store_->commit_wait().progress; });
  const Watchdog watchdog(watch_);
  health_.set_ready();
  log_.info("serving", {{"backend", backend->description()},
                        {"partitions", recovered.head.positions.size()},
                        {"rule", rule.fingerprint}});
  const ServiceSearches searches(*store_, rule_, config_, control_.searches(), log_);
  CheckService checks(config_, rule_, false, *store_, control_.reads(), ports_.checks, log_);
  const InputWriter writer(config_, ports_.documents, waits_, abandoned_, log_);
  pipeline.answer_reads(control_.reads());
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
        },
        &control_.tasks());
  };
  try {
    if (ordered) {
      replay_ = make_replay(recovered, rule, check);
      run(*replay_);
    }
    if (!ordered || !delivery.replaying()) {
      std::optional<std::int64_t> end_batch_at;
      if (delivery.replaying()) end_batch_at = recovered.replay->positions.front().offset;
      source_ = make_source(delivery.positions(), end_batch_at);
      run(*source_);
    }
  } catch (const Stopped&) {
    // The reader was stopped while it waited for brokers. The drain is the same as after its end.
  } catch (...) {
    // Stored batches are still delivered: their messages are in memory now.
    failed_ = true;
    drain_if_possible(thread);
    throw;
  }
  thread.drain();
  delivery.forget_delivered(*store_);
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
  metrics_.partitions().committed(batch.stored.to, steady_clock::now());
  const std::chrono::duration<double> time = steady_clock::now() - start;
  log_.debug("batch delivered", {{"flags", batch.stored.flags.size()}, {"seconds", time.count()}});
}

// Clients report neither that a broker is back nor that a network drops all packets.
void KafkaService::look_for_brokers() {
  try {
    consumer_.partition_counts({config_.kafka.topics.front()});
    events_.brokers_up();
  } catch (const KafkaError&) {
    events_.no_answer();
  }
}

void KafkaService::look_at_ends() {
  try {
    metrics_.partitions().ends(consumer_.ends(metrics_.partitions().partitions()));
  } catch (const KafkaError&) {
    // The last known ends stay until the next call.
  }
}

// Ends the process when the drain does not: a call of librdkafka can hang as long as its socket.
// Stored batches are safe, and the next start delivers them.
void KafkaService::abandon_drain(steady_clock::time_point deadline) {
  abandoned_ = true;
  if (!stop_ || steady_clock::now() < deadline + kAbandonTime) return;
  log_.error("not drained in time", {{"detail",
                                      "Kafka does not answer; what is stored is "
                                      "delivered by the next start"}});
  std::_Exit(stop_status());
}

std::string KafkaService::trouble() const {
  if (events_.brokers_down()) return "brokers unreachable";
  if (deliverer_.failures() >= kManyFailures) return "flags cannot be delivered, the log says why";
  if (store_->commit_wait().seconds >= kLongWait) {
    return "the index is being merged, the input waits for it";
  }
  return {};
}

// Keeps the readiness for the supervisor up to date, and ends a drain that takes too long.
void KafkaService::watch(const std::stop_token& ended) {
  std::optional<steady_clock::time_point> deadline;
  std::string known;
  auto next_look = steady_clock::now();
  while (!ended.stop_requested()) {
    if ((stop_ || failed_) && !deadline) {
      health_.set_draining();
      metrics_.set_draining();
      log_.info("draining", {{"seconds", config_.shutdown.drain_seconds}});
      deadline = steady_clock::now() + seconds(config_.shutdown.drain_seconds);
    }
    if (deadline && steady_clock::now() >= *deadline) abandon_drain(*deadline);
    consumer_.serve();
    waits_.expire(steady_clock::now());
    if (events_.brokers_down() || steady_clock::now() >= next_look) {
      look_for_brokers();
      if (!events_.brokers_down() && !deadline) look_at_ends();
      next_look = steady_clock::now() + kBetweenLooks;
    }
    if (const std::string now = trouble(); now != known) {
      known = now;
      now.empty() ? health_.set_ready() : health_.set_not_ready(now);
      log_.warning(now.empty() ? "ready again" : "not ready", {{"reason", now}});
    }
    std::this_thread::sleep_for(kMonitorStep);
  }
}

}  // namespace neardup
