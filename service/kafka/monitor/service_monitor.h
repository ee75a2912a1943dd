// Background checks of a Kafka process: brokers, end offsets, readiness. Also ends a drain that
// takes too long.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "service/http/health.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/monitor/kafka_metrics.h"
#include "service/kafka/read/consumer.h"
#include "service/log/log.h"
#include "service/monitor/service_metrics.h"

namespace neardup {

struct MonitorOptions {
  std::string topic;             // looked up, to see whether brokers answer
  std::chrono::seconds drain;    // from the end of the work to `abandoned`
  std::string_view not_drained;  // what becomes of what a drain did not finish
  bool ready = true;             // at the start
};

struct MonitorAsks {
  std::function<bool()> ends;                // the work has ended, or is to end
  std::function<std::string()> trouble;      // why the process is not ready; empty: it is
  std::function<void(bool reachable)> step;  // each 100 ms; `reachable`: brokers answer, no drain
};

class ServiceMonitor {
 public:
  // All references must outlive this. `abandoned` is set when a drain has taken too long; where it
  // does not end then although `stop` is true, the process does.
  ServiceMonitor(MonitorOptions options, MonitorAsks asks, const std::atomic<bool>& stop,
                 std::atomic<bool>& abandoned, const Consumer& consumer, ClientEvents& events,
                 ServiceMetrics& metrics, KafkaMetrics& kafka_metrics, Health& health, Log& log);

  // Runs until `ended`.
  void run(const std::stop_token& ended);

 private:
  using Time = std::chrono::steady_clock::time_point;

  void look_for_brokers();
  void look_at_offsets();
  void begin_drain();
  void abandon_drain(Time now);
  void show_trouble();

  const MonitorOptions options_;
  const MonitorAsks asks_;
  const std::atomic<bool>& stop_;
  std::atomic<bool>& abandoned_;
  const Consumer& consumer_;
  ClientEvents& events_;
  ServiceMetrics& metrics_;
  KafkaMetrics& kafka_metrics_;
  Health& health_;
  Log& log_;
  bool draining_ = false;
  Time deadline_;  // of the drain
  bool was_ready_;
  std::string trouble_;
};

// Sets a flag at the end of a scope, however that ends.
class AtEnd {
 public:
  explicit AtEnd(std::atomic<bool>& flag) : flag_(flag) {}
  ~AtEnd() { flag_ = true; }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 private:
  std::atomic<bool>& flag_;
};

}  // namespace neardup
