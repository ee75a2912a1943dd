#include "service/kafka/kafka_service.h"

#include <chrono>
#include <utility>

#include "service/kafka/client/client_conf.h"
#include "service/kafka/cluster/cluster_topics.h"
#include "service/kafka/cluster/log/batch_of_log.h"
#include "service/kafka/message/message_decoder.h"
#include "service/kafka/produce/input_writer.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/start/delivered_order.h"
#include "service/kafka/start/start_checks.h"
#include "service/kafka/store/batch_text.h"
#include "service/kafka/store/state_head.h"
#include "service/state/state_order.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr std::uint64_t kLargestMessage = std::uint64_t{1} << 31;  // of the log

bool is_decider(const Config& config) { return config.cluster.role == ClusterRole::kDecider; }

// A decider has a position in the log, and appends to the decisions.
std::vector<std::string> watched_topics(const Config& config) {
  if (!is_decider(config)) return config.kafka.topics;
  return {config.cluster.log_topic(), config.cluster.decisions_topic()};
}

std::string remedy_of(const Config& config) {
  if (is_decider(config)) return remedy_of_new_topic(config.cluster);
  return "To continue with the new topic from its beginning, start once with --skip-gap: its "
         "records count as new.";
}

AnswerMode answer_mode_of(const Config& config) {
  return {config.output.mode, config.cluster.role == ClusterRole::kAll};
}

Assignment assignment_of(const KafkaOptions& options) {
  return {options.topics, options.instance, options.instances};
}

// Requests may write documents, and those of a decider deletes, into the input topics during its
// lifetime.
class OpenInput {
 public:
  OpenInput(const ServiceRunner& runner, DocumentsPort& port, FlagWaits& waits)
      : documents_(runner.context().config, port, waits, runner.abandoned(), runner.context().log) {
    const ServiceContext& context = runner.context();
    if (!is_decider(context.config)) return;
    deletes_.emplace(context.config, runner.abandoned(), context.log);
    open_deletes_.emplace(context.control.delete_writer(), write_deletes_);
  }

 private:
  InputWriter documents_;
  std::optional<InputDeletes> deletes_;
  const Control::DeleteWriter write_deletes_ = [this](const auto& name_space, const auto& ids) {
    deletes_->write(name_space, ids);
  };
  std::optional<OpenShared<const Control::DeleteWriter>> open_deletes_;
};

}  // namespace

KafkaUse kafka_of_topics(const Config& config) {
  return {.options = is_decider(config) ? decider_kafka(config) : config.kafka,
          .topics = watched_topics(config),
          .remedy = remedy_of(config),
          .starts_ready = true};
}

KafkaService::KafkaService(ServiceRunner& runner, DocumentsPorts ports, std::string url)
    : runner_(runner),
      config_(runner.context().config),
      log_(runner.context().log),
      control_(runner.context().control),
      kafka_(runner.kafka()),
      ports_(ports),
      url_(std::move(url)),
      deliverer_({[this] { return make_sender(); },
                  [this](const StoredBatch& batch) { return make_writer(batch); },
                  kafka_.options.order_topic.empty() ? "" : transactional_id(kafka_.options)},
                 kafka_.consumer, kafka_.topics, kafka_.finishing, runner.metrics().events()),
      waits_(ports.documents.requests()) {
  if (is_decider(config_)) decider_.emplace(runner);
}

std::unique_ptr<Sender> KafkaService::make_sender() {
  if (kafka_.options.guarantee == Guarantee::kExactlyOnce)
    return make_transactional_sender(kafka_.options, kafka_.finishing);
  return make_idempotent_sender(kafka_.options, kafka_.consumer, kafka_.finishing);
}

MessageWriter KafkaService::make_writer(const StoredBatch& batch) const {
  return {answer_mode_of(config_), batch.rule.fingerprint, batch.rule.threshold, limits_,
          partition_of(batch)};
}

RuleStamp KafkaService::rule() const {
  const Rule& rule = runner_.context().rule;
  return {rule_fingerprint(rule_text(rule)), rule.decision.threshold};
}

LogRecoveryOptions KafkaService::log_options() const {
  return decider_->recovery(layout_, runner_.context().switches.trust_state);
}

// Opens the state, checks the topics, and recovers from a crash, which a decider cannot until it
// leads.
void KafkaService::start() {
  const ServeSwitches& switches = runner_.context().switches;
  RetryPolicy& reading = kafka_.reading;
  Store& store = runner_.open_state();
  require_order_of_topics(store);
  runner_.announce_state(url_);
  if (decider_) {
    TopicIds ids = ids_of_state(read_head(store), kafka_.consumer, config_.cluster, reading);
    ids.erase(config_.cluster.decisions_topic());  // it has no position there
    kafka_.topics.begin(ids, reading);
    decider_->open();
  }
  limits_ = check_start(kafka_.options, config_.output.mode, switches.create_topics,
                        kafka_.consumer, reading);
  layout_ = layout_text(kafka_.options, await_cluster_id(kafka_.consumer, reading));
  layout_change_ = layout_change(store, layout_, switches.change_layout);
  if (!decider_) recovered_ = recover();
}

void KafkaService::serve() {
  if (decider_) {
    decide(follow());
    if (runner_.ends()) return;
    decider_->lead();
    recovered_ = recover();
  }
  runner_.begin();
  decide({*std::exchange(recovered_, {})});
  if (decider_ && !runner_.failure()) decider_->lease().require();
}

// Decides batches that another decider has delivered, until this one acquires the lease.
KafkaService::Stretch KafkaService::follow() {
  Store& store = runner_.store();
  const LogRecoveryOptions options = log_options();
  const StateHead head = open_log_state(options, store);
  require_log(options.log, head, kafka_.consumer, kafka_.reading);
  decider_->join();
  return {{head, {}, {}, outbox_up_to(store, head.mark.batch)}, true};
}

// Everything before the first record.
Recovered KafkaService::recover() {
  const ServeSwitches& switches = runner_.context().switches;
  ready_ = false;
  runner_.context().health.set_not_ready("recovering");
  runner_.metrics().set_state(ServiceState::kRecovering);
  const auto progress = [this](std::uint64_t batches, std::uint64_t sent) {
    kafka_.metrics.recovery().batches = batches;
    kafka_.metrics.recovery().sent = sent;
  };
  const RecoveryOptions options{assignment_of(kafka_.options),
                                kafka_.options.start,
                                config_.output.mode,
                                layout_,
                                !kafka_.options.order_topic.empty(),
                                layout_change_,
                                switches.trust_state,
                                switches.skip_gap,
                                progress};
  Recovered recovered = decider_ ? recover_log(log_options(), runner_.store(), kafka_.consumer,
                                               deliverer_, kafka_.topics, kafka_.reading)
                                 : neardup::recover(options, runner_.store(), kafka_.consumer,
                                                    deliverer_, kafka_.topics, kafka_.reading);
  const StateHead& committed = recovered.replay ? *recovered.replay : recovered.head;
  kafka_.metrics.partitions().committed(committed.positions, steady_clock::now());
  log_.info("recovered", {{"batch", recovered.head.mark.batch},
                          {"next_seq", recovered.head.mark.next_seq},
                          {"state", recovered.head.mark.state},
                          {"replay", recovered.replay.has_value()}});
  return recovered;
}

void KafkaService::decide(const Stretch& stretch) {
  const Recovered& from = stretch.from;
  DeliveryThread thread(
      config_.batch.in_flight, from.head.mark.batch,
      [this](const DecidedBatch& batch) { deliver(batch); }, [this] { runner_.end(); });
  std::optional<AbandonAtEnd> abandon;  // ~DeliveryThread would wait
  if (!stretch.follows) abandon.emplace(runner_);
  ReplayCheck check(rule());
  KafkaDelivery delivery(
      {from.head, from.replay, stretch.ordered() ? &check : nullptr, from.stored},
      {rule(), answer_mode_of(config_), seconds(kafka_.options.idle_commit_seconds)}, thread,
      runner_.watch(), log_);
  if (decider_) {
    delivery.complete_by([this](const WriteSet& writes, StoredBatch& batch) {
      add_log(decider_->cluster(), writes, batch);
    });
  }
  if (stretch.follows) delivery.follow(decider_->delivered());
  Deciding deciding(runner_, delivery, ports_.checks, false);
  const auto shown_outbox = kafka_.metrics.show_outbox(thread);
  std::optional<OpenInput> input;
  if (!stretch.follows && !config_.kafka.topics.empty())
    input.emplace(runner_, ports_.documents, waits_);
  read_and_drain(stretch, deciding, delivery, thread, check);
}

void KafkaService::read_and_drain(const Stretch& stretch, Deciding& deciding,
                                  KafkaDelivery& delivery, DeliveryThread& thread,
                                  ReplayCheck& check) {
  try {
    read(stretch, deciding, delivery, check);
  } catch (const Stopped&) {
    // The reader was stopped while it waited for brokers. The drain is the same as after its end.
  } catch (const TopicMadeAgain&) {
    runner_.fail();
  } catch (...) {
    // Stored batches are still delivered: their messages are in memory now.
    runner_.fail();
    thread.drain();
    return;
  }
  thread.drain();
  delivery.forget_delivered(runner_.store());
  if (runner_.failure()) {
    if (!decider_ && !delivery.replaying()) commit_again(delivery.head());
    return;
  }
  deciding.summary();
}

void KafkaService::read(const Stretch& stretch, Deciding& deciding, KafkaDelivery& delivery,
                        ReplayCheck& check) {
  show_state(stretch, delivery);
  ready_ = true;
  log_.info(stretch.follows ? "following" : "serving",
            {{"backend", deciding.backend()},
             {"partitions", stretch.from.head.positions.size()},
             {"rule", deciding.rule()}});
  const auto run = [&](Source& source) {
    deciding.run(
        source,
        [this] {
          return std::make_unique<MessageDecoder>(config_.input, config_.text, config_.output);
        },
        [&] { show_state(stretch, delivery); });
  };
  if (stretch.ordered()) {
    replay_ = make_replay(stretch.from, check);
    run(*replay_);
    if (delivery.replaying()) return;
  }
  read_on(stretch, delivery);
  took_topics_ = true;
  run(*source_);
}

// From where the state is now.
void KafkaService::read_on(const Stretch& stretch, KafkaDelivery& delivery) {
  const Recovered& from = stretch.from;
  if (stretch.follows) {
    source_ = decider_->follow(read_topics(from.head.positions, {}), from.head.positions.front(),
                               runner_.store());
    return;
  }
  std::optional<std::int64_t> end_batch_at;
  if (delivery.replaying()) end_batch_at = from.replay->positions.front().offset;
  auto topics = read_topics(delivery.positions(), end_batch_at);
  source_ = decider_ ? decider_->read(std::move(topics), runner_.store()) : std::move(topics);
}

std::unique_ptr<KafkaSource> KafkaService::read_topics(Positions positions,
                                                       std::optional<std::int64_t> end_batch_at) {
  KafkaSourceOptions options;
  options.assignment = assignment_of(kafka_.options);
  options.max_record_bytes = decider_ ? kLargestMessage : config_.input.max_record_bytes;
  options.linger = milliseconds(config_.batch.linger_ms);
  options.idle_commit = seconds(kafka_.options.idle_commit_seconds);
  options.refresh = metadata_refresh(kafka_.options);
  options.skip_gap = runner_.context().switches.skip_gap;
  options.topics = &kafka_.topics;
  options.may_be_made_again = !decider_;
  options.end_batch_at = end_batch_at;
  return std::make_unique<KafkaSource>(runner_.read_context(), std::move(positions), options);
}

std::unique_ptr<ReplaySource> KafkaService::make_replay(const Recovered& recovered,
                                                        ReplayCheck& check) {
  const CommitMetadata& from = recovered.head.mark;
  const CommitMetadata& target = recovered.replay->mark;
  const KafkaOptions& kafka = kafka_.options;
  auto order =
      recovered.order == OrderFrom::kOrderTopic
          ? make_topic_order(kafka_.consumer, kafka.order_topic, transactional_id(kafka), from,
                             target, kafka_.topics.ask(kafka_.reading), kafka_.reading)
          : make_output_order(kafka_.consumer, kafka.output_topic, assignment_of(kafka), rule(),
                              from.next_seq, target.next_seq, kafka_.reading);
  return std::make_unique<ReplaySource>(runner_.read_context(), std::move(order),
                                        ReplayRange{recovered.head, *recovered.replay},
                                        config_.input.max_record_bytes, check);
}

void KafkaService::show_state(const Stretch& stretch, const KafkaDelivery& delivery) {
  control_.set_catching_up(stretch.follows || delivery.replaying());
  kafka_.metrics.recovery().replay_records = delivery.replay_left();
  runner_.metrics().set_state(stretch.follows        ? ServiceState::kFollowing
                              : delivery.replaying() ? ServiceState::kReplaying
                                                     : ServiceState::kServing);
}

void KafkaService::deliver(const DecidedBatch& batch) {
  const Busy busy(runner_.watch(), ServiceStage::kSender);
  const BatchScope scope(batch.stored);
  const auto start = steady_clock::now();
  deliverer_.deliver(batch);
  waits_.offer(batch.stored);
  control_.flags().publish(flag_blocks_of(batch.stored));
  kafka_.metrics.partitions().committed(batch.stored.to, steady_clock::now());
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

void KafkaService::look(bool reachable) {
  waits_.expire(steady_clock::now());
  if (decider_) {
    decider_->lease().check();
    if (decider_->lease().lost()) runner_.end();
  }
  if (reachable && took_topics_) kafka_.topic_look.step();
}

std::optional<std::string> KafkaService::not_ready_reason() const {
  if (!ready_) return {};
  std::string reason = deliverer_.not_ready_reason();
  return reason.empty() ? runner_.index_wait_reason() : reason;
}

}  // namespace neardup
