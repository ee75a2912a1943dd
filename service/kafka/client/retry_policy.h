// Waiting for brokers: the same call again until it succeeds, with log lines, until somebody stops
// us or it turns out that it never will.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>
#include <utility>

#include "service/kafka/client/client_events.h"
#include "service/kafka/client/handles.h"

namespace neardup {

// Thrown out of a wait that was told to end.
struct Stopped {};

class RetryPolicy {
 public:
  // `stop` ends every wait once it is true; it is called from any thread. The others must outlive
  // this.
  RetryPolicy(std::function<bool()> stop, ClientEvents& events, Log& log)
      : stop_(std::move(stop)), events_(events), log_(log) {}

  // One call of librdkafka may take this long; then `stop` is looked at.
  static constexpr int kCallMs = 2000;

  // Calls `attempt` until it throws no retriable KafkaError. Other KafkaErrors pass, but for
  // denials: Failure(kConfig). Throws Stopped.
  void until_done(std::string_view doing, const std::function<void()>& attempt);

  // Sleeps, or throws Stopped.
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
