// The life of a process of `serve`, regardless of its role: it starts, works, drains and ends.
//
// Threads: that of `run` does the work. A monitor, ten times a second, keeps the readiness up to
// date, checks whether brokers answer, and ends a drain that takes too long. A watchdog ends a
// process in which a call hangs.
// A signal, a failure and a lost lease end the work in the same way: no more is read, work in
// progress is finished within shutdown.drain_seconds, and the first failure gives the exit status.
// What is durable when, and what a crash does, is at the head of each role.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "pipeline/base/mutex.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/monitor/kafka_metrics.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/read/topic_watch.h"
#include "service/monitor/service_metrics.h"
#include "service/monitor/watchdog.h"
#include "service/serve/service_context.h"
#include "storage/store.h"

namespace neardup {

// What the role of a process does with Kafka.
struct KafkaUse {
  KafkaOptions options;                         // what it reads and commits
  std::vector<std::string> topics;              // of its positions; the first is the one that
                                                // brokers are asked for, to see whether they answer
  std::string remedy;                           // if one is recreated: the end of the error
  ServiceStage reader = ServiceStage::kReader;  // waits for brokers before it reads
  bool starts_ready = false;                    // no log line says that it is ready at its start
};

// What a process has of Kafka: its clients, how they wait for brokers, and whether brokers answer.
struct KafkaClients {
  // `reading_ends` and `finishing_ends` end the waits of `reading` and `finishing`. Any thread may
  // call them. `context` must outlive this.
  KafkaClients(const ServiceContext& context, KafkaUse use, std::function<bool()> reading_ends,
               std::function<bool()> finishing_ends);

  // Runs callbacks of librdkafka, and checks every few seconds, or more often while no broker
  // answers, whether one does; unless `draining` also where partitions begin and end. To be called
  // often, by one thread.
  void look(bool draining);
  // The next `look` checks both. Any thread.
  void look_soon() { look_soon_ = true; }

  const KafkaOptions options;
  ClientEvents events;
  KafkaMetrics metrics;
  RetryPolicy reading;    // until no more is to be read
  RetryPolicy finishing;  // of work in progress, until a drain is abandoned
  Consumer consumer;
  TopicWatch topics;
  TopicLook topic_look;

 private:
  void look_for_brokers();
  void look_at_offsets();

  std::atomic<bool> look_soon_{false};
  std::chrono::steady_clock::time_point next_look_;
};

// What one kind of process does. `start` and `serve` are called by the thread of `run`, the others
// by the monitor, which runs during `serve`.
class Role {
 public:
  virtual ~Role() = default;

  // Opens and checks. Throws Failure, KafkaError, and Stopped when it was stopped before that.
  virtual void start() = 0;
  // Works until the runner's `ends`, and then finishes what is in progress. Throws as `start`;
  // Stopped also when it could not finish, since the drain was abandoned.
  virtual void serve() = 0;

  // Accept nothing more from outside. Called once.
  virtual void stop() {}
  // Background work, ten times a second. An exception ends the work, and `run` throws it.
  // `reachable`: brokers answer, and there is no drain.
  virtual void look(bool /*reachable*/) {}
  // In one line, for /readyz; empty: it is ready. Nothing while it starts, which is no event of the
  // log: then /readyz has what the role has set.
  virtual std::optional<std::string> not_ready_reason() const = 0;
  // What becomes of what a drain did not finish, for the log.
  virtual std::string_view unfinished() const = 0;
};

class ServiceRunner {
 public:
  // A process without Kafka. `context` must outlive this.
  explicit ServiceRunner(const ServiceContext& context);
  // A process with clients of Kafka.
  ServiceRunner(const ServiceContext& context, KafkaUse use);

  // Runs `role` until the process is stopped, and returns the exit status: 0 when all work that was
  // begun is finished. Throws the first failure, a KafkaError as Failure(kUnavailable). Where a
  // drain after a signal hangs, the process ends.
  int run(Role& role);

  const ServiceContext& context() const { return context_; }
  ServiceMetrics& metrics() { return metrics_; }
  StageWatch& watch() { return watch_; }
  KafkaClients& kafka() { return *kafka_; }  // Requires: it has them.
  ReadContext read_context() {
    return {kafka_->consumer, kafka_->reading, watch_, metrics_.events()};
  }

  // Opens the state, with its metrics. Throws Failure, also where it has another rule.
  Store& open_state();
  Store& store() { return *store_; }
  // Announces the state to commands, which reach the process at `url`.
  void announce_state(const std::string& url);
  // Why a process whose commits wait for the index is not ready; empty: they do not.
  std::string index_wait_reason() const;

  // The calls below may come from any thread.

  // From now on the end of the process waits for what was begun, shutdown.drain_seconds at most.
  // Metrics have the ends of its partitions at once.
  void begin();
  // Read no more, and finish what was begun.
  void end() { ended_ = true; }
  bool ends() const { return context_.stop || ended_; }
  // Ends the work with the exception that is being handled; the first one counts.
  void fail();
  std::exception_ptr failure() const;
  // Give up what is not finished by now: waits for brokers end.
  void abandon() { abandoned_ = true; }
  const std::atomic<bool>& abandoned() const { return abandoned_; }

 private:
  using Time = std::chrono::steady_clock::time_point;

  bool work(Role& role);
  void watch(Role& role, const std::stop_token& ended);
  void look(Role& role);
  void begin_drain(Role& role);
  void abandon_drain(const Role& role, Time now);
  void show_readiness(const Role& role);
  void log_readiness(const std::string& reason);

  const ServiceContext& context_;
  std::atomic<bool> begun_{false};
  std::atomic<bool> ended_{false};
  std::atomic<bool> abandoned_{false};
  mutable Mutex mutex_;
  std::exception_ptr failure_ GUARDED_BY(mutex_);
  ServiceMetrics metrics_;
  StageWatch watch_;
  std::optional<KafkaClients> kafka_;
  std::unique_ptr<Store> store_;
  ServiceMetrics::Shown shown_store_;
  // Destroyed before the store unlocks the state: it must not remove the file of another process.
  std::unique_ptr<Control::OpenState> opened_;
  // Of the monitor.
  bool draining_ = false;
  Time deadline_;  // of the drain
  bool was_ready_ = false;
  std::string logged_reason_ = "starting";  // as of not_ready_reason
};

// Abandons unfinished work at the end of a scope, however that ends, so that nothing in it waits
// for brokers when it is destroyed.
class AbandonAtEnd {
 public:
  explicit AbandonAtEnd(ServiceRunner& runner) : runner_(runner) {}
  ~AbandonAtEnd() { runner_.abandon(); }
  AbandonAtEnd(const AbandonAtEnd&) = delete;
  AbandonAtEnd& operator=(const AbandonAtEnd&) = delete;

 private:
  ServiceRunner& runner_;
};

}  // namespace neardup
