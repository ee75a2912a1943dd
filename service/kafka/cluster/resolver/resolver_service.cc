#include "service/kafka/cluster/resolver/resolver_service.h"

#include <thread>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/cluster/cluster_checks.h"
#include "service/kafka/cluster/cluster_topics.h"
#include "service/kafka/cluster/resolver/resolver_start.h"
#include "service/kafka/monitor/service_monitor.h"
#include "service/kafka/start/start_checks.h"
#include "service/kafka/store/batch_text.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr unsigned kMostFailures = 3;
constexpr milliseconds kLeaseStep{100};

}  // namespace

ResolverService::ResolverService(const ServiceContext& context)
    : config_(context.config),
      kafka_(decider_kafka(config_)),
      rule_(context.rule),
      create_topics_(context.switches.create_topics),
      log_(context.log),
      health_(context.health),
      stop_(context.stop),
      events_(log_),
      metrics_(context.registry, health_),
      kafka_metrics_(context.registry, events_),
      shown_waits_(context.registry.attach([this](Samples& samples) { waits_.collect(samples); })),
      watch_(kLongestCall, end_process(log_)),
      reading_(
          [this] {
            watch_.alive(ServiceStage::kReader);
            return ends();
          },
          events_, log_),
      delivering_(
          [this] {
            watch_.alive(ServiceStage::kSender);
            return leads_ ? abandoned_.load() : ends();
          },
          events_, log_),
      consumer_(kafka_, events_),
      topics_(kafka_, cluster_topics(config_.cluster), remedy_of_new_topic(config_.cluster),
              events_),
      lease_(config_, log_),
      look_at_topics_(topics_, log_),
      deliverer_([this] { return make_transactional_sender(kafka_, delivering_); },
                 [this](const StoredBatch& batch) { return make_writer(batch); }, "", consumer_,
                 topics_, delivering_, metrics_.events()) {}

MessageWriter ResolverService::make_writer(const StoredBatch& batch) const {
  return {AnswerMode(OutputMode::kFlags, false), batch.rule.fingerprint, batch.rule.threshold,
          limits_, partition_of(batch)};
}

bool ResolverService::run() {
  try {
    start();
  } catch (const Stopped&) {
    return true;
  } catch (const KafkaError& error) {
    throw Failure(Exit::kUnavailable, std::string("kafka: ") + error.what());
  }
  std::jthread monitor([this](const std::stop_token& ended) { watch(ended); });
  bool drained = true;
  try {
    await_lease();
    if (!ends()) drained = lead();
  } catch (const Stopped&) {
    // Nothing was decided.
  } catch (const KafkaError& error) {
    throw Failure(Exit::kUnavailable, std::string("kafka: ") + error.what());
  }
  throw_failure();
  if (lease_.lost() && !stop_) {
    throw Failure(Exit::kUnavailable,
                  "lost the log lease to another resolver; shutting down, no data is lost");
  }
  return drained;
}

void ResolverService::start() {
  const Busy busy(watch_, ServiceStage::kReader);
  health_.set_not_ready("connecting to Kafka");
  topics_.begin({}, reading_);
  cluster_ = read_cluster_head(consumer_, config_.cluster, rule_, reading_).uuid;
  check_cluster(config_, ClusterUse::kResolve, false, consumer_, reading_);
  limits_ = check_start(kafka_, OutputMode::kFlags, create_topics_, consumer_, reading_);
}

void ResolverService::await_lease() {
  metrics_.set_state(ServiceState::kFollowing);
  lease_.join();
  log_.info("waiting for the lease", {{"role", name(config_.cluster.role)}});
  ready_ = true;
  while (!ends() && !lease_.holds()) std::this_thread::sleep_for(kLeaseStep);
}

// The order matters: the committed offset cannot even be read while a transaction of an earlier
// leader is open, which a new sender ends.
bool ResolverService::lead() {
  const AtEnd abandon(abandoned_);  // stops retries, which ~DeliveryThread would wait for
  const Busy busy(watch_, ServiceStage::kReader);
  const Watchdog watchdog(watch_);
  metrics_.set_state(ServiceState::kRecovering);
  lease_.lead(cluster_);
  deliverer_.start();
  ResolverStart start = read_resolver_start(config_, rule_, consumer_, reading_);
  topics_.require(config_.cluster.log_topic(), start.log_id);
  const Decided& last = start.head.last;
  kafka_metrics_.partitions().committed({start.batches.log}, steady_clock::now());
  thread_ = std::make_unique<DeliveryThread>(
      config_.batch.in_flight, start.batches.mark ? start.batches.mark->batch : 0,
      [this](const DecidedBatch& batch) { deliver(batch); }, [this] { failed_ = true; });
  log_.info("serving", {{"role", name(config_.cluster.role)},
                        {"cluster", cluster_},
                        {"next_seq", last.next},
                        {"epoch", last.log.epoch},
                        {"rule", last.rule}});
  leader_ = std::make_unique<ResolverLeader>(
      config_, rule_, std::move(start), consumer_, *thread_, reading_, watch_,
      ResolverProbes{metrics_.events(), metrics_.events(), metrics_.events(), waits_});
  leads_ = true;
  metrics_.set_state(ServiceState::kServing);
  try {
    leader_->run([this] { return ends(); });
  } catch (const Stopped&) {
    // The reader was stopped while it waited for brokers. The drain is the same as after its end.
  }
  try {
    thread_->drain();
  } catch (const Stopped&) {
    return false;
  }
  return true;
}

void ResolverService::deliver(const DecidedBatch& batch) {
  const Busy busy(watch_, ServiceStage::kSender);
  const BatchScope scope(batch.stored);
  const auto start = steady_clock::now();
  topics_.require_same(log_);
  deliverer_.deliver(batch);
  kafka_metrics_.partitions().committed(batch.stored.to, steady_clock::now());
  const std::chrono::duration<double> time = steady_clock::now() - start;
  log_.debug("batch delivered", {{"flags", batch.stored.flags.size()}, {"seconds", time.count()}});
}

void ResolverService::look(bool reachable) {
  if (failed_) return;
  try {
    lease_.check();
    if (reachable) look_at_topics_.step();
  } catch (const Failure&) {
    const MutexLock lock(mutex_);
    failure_ = std::current_exception();
    failed_ = true;
  }
}

void ResolverService::throw_failure() {
  const MutexLock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

std::string ResolverService::trouble() const {
  if (deliverer_.failures() >= kMostFailures) return "flags cannot be delivered, the log says why";
  return ready_ ? "" : "starting";
}

void ResolverService::watch(const std::stop_token& ended) {
  const MonitorOptions options{
      config_.cluster.log_topic(), seconds(config_.shutdown.drain_seconds),
      "Kafka does not respond; uncommitted records are decided again by the next leader", false};
  const MonitorAsks asks{.ends = [this] { return ends(); },
                         .trouble = [this] { return trouble(); },
                         .step = [this](bool reachable) { look(reachable); }};
  ServiceMonitor(options, asks, stop_, abandoned_, consumer_, events_, metrics_, kafka_metrics_,
                 health_, log_)
      .run(ended);
}

}  // namespace neardup
