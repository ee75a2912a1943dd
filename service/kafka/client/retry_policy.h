// Waits for brokers: repeats a call, with log lines, until it succeeds, fails with an error that
// does not pass, or is stopped.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>
#include <utility>

#include "service/kafka/client/client_events.h"
#include "service/kafka/client/handles.h"

namespace neardup {

// Thrown by a wait that was stopped.
struct Stopped {};

class RetryPolicy {
 public:
  // Waits end once `stop` returns true; any thread may call it. The references must outlive this.
  RetryPolicy(std::function<bool()> stop, ClientEvents& events, Log& log)
      : stop_(std::move(stop)), events_(events), log_(log) {}

  // The timeout of one call of librdkafka, after which `stop` is checked.
  static constexpr int kCallMs = 2000;

  // Calls `attempt` until it succeeds, again after each retriable KafkaError. Denials become
  // Failure(kConfig), all other errors propagate. Throws Stopped.
  void until_done(std::string_view doing, const std::function<void()>& attempt);

  // Sleeps for `time`. Throws Stopped.
  void pause(std::chrono::milliseconds time) const;

  bool stop() const { return stop_(); }
  Log& log() { return log_; }
  ClientEvents& events() { return events_; }

 private:
  std::function<bool()> stop_;
  ClientEvents& events_;
  Log& log_;
};

}  // namespace neardup
