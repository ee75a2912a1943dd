#include "service/serve/service_runner.h"

#include <fmt/format.h>

#include <cstdlib>
#include <thread>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/base/signals.h"
#include "pipeline/state_keys.h"
#include "storage/stores.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr milliseconds kMonitorStep{100};
constexpr seconds kAbandonTime{1};  // from abandoning the waits for brokers to _Exit
constexpr double kLongWait = 10;    // seconds that a commit waits until not ready

[[noreturn]] void rethrow(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const KafkaError& error) {
    // RetryPolicy has retried all errors that pass with time.
    throw Failure(Exit::kUnavailable, std::string("kafka: ") + error.what());
  }
}

}  // namespace

ServiceRunner::ServiceRunner(const ServiceContext& context)
    : context_(context),
      metrics_(context.registry, context.health),
      watch_(kLongestCall, end_process(context.log)) {}

// RetryPolicy calls its condition often, which is a sign of life of the stage that waits.
ServiceRunner::ServiceRunner(const ServiceContext& context, KafkaUse use) : ServiceRunner(context) {
  was_ready_ = use.starts_ready;
  if (was_ready_) logged_reason_.clear();
  const ServiceStage reader = use.reader;
  kafka_.emplace(
      context_, std::move(use),
      [this, reader] {
        watch_.alive(reader);
        return ends();
      },
      [this] {
        watch_.alive(ServiceStage::kSender);
        return begun_ ? abandoned_.load() : ends();
      });
  context_.health.set_not_ready("connecting to Kafka");
}

int ServiceRunner::run(Role& role) {
  bool finished = false;
  try {
    finished = work(role);
  } catch (...) {
    fail();
  }
  if (const auto failure = this->failure()) rethrow(failure);
  if (finished) return 0;
  context_.log.error("not drained in time", {{"detail", role.unfinished()}});
  return stop_status();
}

// False: it has begun what it could not finish.
bool ServiceRunner::work(Role& role) {
  try {
    role.start();
    const std::jthread monitor([&](const std::stop_token& ended) { watch(role, ended); });
    const Watchdog watchdog(watch_);
    role.serve();
    return true;
  } catch (const Stopped&) {
    return !begun_;
  }
}

Store& ServiceRunner::open_state() {
  StorageOptions storage = context_.config.storage;
  storage.statistics = true;
  store_ = open_store(storage, OpenMode::kReadWrite);
  shown_store_ = metrics_.show_store(*store_, storage.memory, storage.path);
  require_same_rule(*store_, context_.rule);
  watch_.waits_for(ServiceStage::kDecider, [this] { return store_->commit_wait().progress; });
  return *store_;
}

void ServiceRunner::announce_state(const std::string& url) {
  opened_ = context_.control.state_opened(url, *store_);
}

std::string ServiceRunner::index_wait_reason() const {
  if (store_->commit_wait().seconds < kLongWait) return {};
  return "the index is being merged, the input waits for it";
}

void ServiceRunner::begin() {
  begun_ = true;
  if (kafka_) kafka_->look_soon();
}

void ServiceRunner::fail() {
  const MutexLock lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
  ended_ = true;
}

std::exception_ptr ServiceRunner::failure() const {
  const MutexLock lock(mutex_);
  return failure_;
}

void ServiceRunner::watch(Role& role, const std::stop_token& ended) {
  while (!ended.stop_requested()) {
    const Time now = steady_clock::now();
    if (ends() && !draining_) begin_drain(role);
    if (draining_ && now >= deadline_) abandon_drain(role, now);
    if (kafka_) kafka_->look(draining_);
    look(role);
    show_readiness(role);
    std::this_thread::sleep_for(kMonitorStep);
  }
}

void ServiceRunner::look(Role& role) {
  try {
    role.look(kafka_ && !kafka_->events.brokers_down() && !draining_);
  } catch (...) {
    fail();
  }
}

void ServiceRunner::begin_drain(Role& role) {
  const seconds longest(context_.config.shutdown.drain_seconds);
  draining_ = true;
  deadline_ = steady_clock::now() + longest;
  context_.health.set_draining();
  metrics_.set_draining();
  context_.log.info("draining", {{"seconds", longest.count()}});
  role.stop();
}

// A call of librdkafka can hang as long as its socket.
void ServiceRunner::abandon_drain(const Role& role, Time now) {
  abandon();
  if (!context_.stop || (kafka_ && now < deadline_ + kAbandonTime)) return;
  context_.log.error("not drained in time",
                     {{"detail", fmt::format("{}{}", kafka_ ? "Kafka does not respond; " : "",
                                             role.unfinished())}});
  std::_Exit(stop_status());
}

void ServiceRunner::show_readiness(const Role& role) {
  auto reason = role.not_ready_reason();
  if (!reason) return;
  if (kafka_ && kafka_->events.brokers_down()) reason = "brokers unreachable";
  if (reason->empty()) {
    context_.health.set_ready();
  } else {
    context_.health.set_not_ready(*reason);
  }
  if (kafka_) log_readiness(*reason);
}

void ServiceRunner::log_readiness(const std::string& reason) {
  if (reason == logged_reason_) return;
  logged_reason_ = reason;
  Log& log = context_.log;
  if (!reason.empty()) {
    log.warning("not ready", {{"reason", reason}});
    return;
  }
  was_ready_ ? log.warning("ready again") : log.info("ready");
  was_ready_ = true;
}

}  // namespace neardup
