#include "service/kafka/cluster/resolver/resolver_service.h"

#include <chrono>
#include <thread>
#include <utility>

#include "service/kafka/cluster/cluster_checks.h"
#include "service/kafka/cluster/cluster_topics.h"
#include "service/kafka/cluster/resolver/resolver_start.h"
#include "service/kafka/start/start_checks.h"
#include "service/kafka/store/batch_text.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kLeaseStep{100};

}  // namespace

KafkaUse kafka_of_resolver(const Config& config) {
  return {decider_kafka(config), cluster_topics(config.cluster),
          remedy_of_new_topic(config.cluster)};
}

ResolverService::ResolverService(ServiceRunner& runner)
    : runner_(runner),
      config_(runner.context().config),
      rule_(runner.context().rule),
      log_(runner.context().log),
      kafka_(runner.kafka()),
      shown_waits_(
          runner.context().registry.attach([this](Samples& samples) { waits_.collect(samples); })),
      lease_(config_, log_),
      deliverer_({[this] { return make_transactional_sender(kafka_.options, kafka_.finishing); },
                  [this](const StoredBatch& batch) { return make_writer(batch); }},
                 kafka_.consumer, kafka_.topics, kafka_.finishing, runner.metrics().events()) {}

MessageWriter ResolverService::make_writer(const StoredBatch& batch) const {
  return {AnswerMode(OutputMode::kFlags, false), batch.rule.fingerprint, batch.rule.threshold,
          limits_, partition_of(batch)};
}

void ResolverService::start() {
  const Busy busy(runner_.watch(), ServiceStage::kReader);
  RetryPolicy& reading = kafka_.reading;
  kafka_.topics.begin({}, reading);
  cluster_ = read_cluster_head(kafka_.consumer, config_.cluster, rule_, reading).uuid;
  check_cluster(config_, ClusterUse::kResolve, false, kafka_.consumer, reading);
  limits_ = check_start(kafka_.options, OutputMode::kFlags,
                        runner_.context().switches.create_topics, kafka_.consumer, reading);
}

void ResolverService::serve() {
  await_lease();
  if (!runner_.ends()) lead();
}

void ResolverService::await_lease() {
  runner_.metrics().set_state(ServiceState::kFollowing);
  lease_.join();
  log_.info("waiting for the lease", {{"role", name(config_.cluster.role)}});
  ready_ = true;
  while (!runner_.ends() && !lease_.holds()) std::this_thread::sleep_for(kLeaseStep);
}

void ResolverService::lead() {
  const AbandonAtEnd abandon(runner_);  // ~DeliveryThread would wait
  const Busy busy(runner_.watch(), ServiceStage::kReader);
  ResolverStart start = begin();
  thread_ = std::make_unique<DeliveryThread>(
      config_.batch.in_flight, start.batches.mark ? start.batches.mark->batch : 0,
      [this](const DecidedBatch& batch) { deliver(batch); }, [this] { runner_.end(); });
  leader_ = std::make_unique<ResolverLeader>(runner_, std::move(start), *thread_, waits_);
  runner_.begin();
  runner_.metrics().set_state(ServiceState::kServing);
  try {
    leader_->run();
  } catch (const Stopped&) {
    // The reader was stopped while it waited for brokers. The drain is the same as after its end.
  }
  thread_->drain();
}

// The order matters: the committed offset cannot even be read while a transaction of an earlier
// leader is open, which a new sender ends.
ResolverStart ResolverService::begin() {
  runner_.metrics().set_state(ServiceState::kRecovering);
  lease_.lead(cluster_);
  deliverer_.start();
  ResolverStart start = read_resolver_start(config_, rule_, kafka_.consumer, kafka_.reading);
  kafka_.topics.require(config_.cluster.log_topic(), start.log_id);
  kafka_.metrics.partitions().committed({start.batches.log}, steady_clock::now());
  const Decided& last = start.head.last;
  log_.info("serving", {{"role", name(config_.cluster.role)},
                        {"cluster", cluster_},
                        {"next_seq", last.next},
                        {"epoch", last.log.epoch},
                        {"rule", last.rule}});
  return start;
}

void ResolverService::deliver(const DecidedBatch& batch) {
  const Busy busy(runner_.watch(), ServiceStage::kSender);
  const BatchScope scope(batch.stored);
  const auto start = steady_clock::now();
  kafka_.topics.require_same(log_);
  deliverer_.deliver(batch);
  kafka_.metrics.partitions().committed(batch.stored.to, steady_clock::now());
  const std::chrono::duration<double> time = steady_clock::now() - start;
  log_.debug("batch delivered", {{"flags", batch.stored.flags.size()}, {"seconds", time.count()}});
}

void ResolverService::look(bool reachable) {
  lease_.check();
  if (!runner_.context().stop) lease_.require();
  if (reachable) kafka_.topic_look.step();
}

std::optional<std::string> ResolverService::not_ready_reason() const {
  if (!ready_) return {};
  return deliverer_.not_ready_reason();
}

}  // namespace neardup
