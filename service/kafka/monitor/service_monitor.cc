#include "service/kafka/monitor/service_monitor.h"

#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include "pipeline/base/signals.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr milliseconds kStep{100};
constexpr seconds kBetweenProbes{5};  // between probes of the brokers
constexpr seconds kAbandonTime{1};    // from abandoning a drain to _Exit

}  // namespace

ServiceMonitor::ServiceMonitor(MonitorOptions options, MonitorAsks asks,
                               const std::atomic<bool>& stop, std::atomic<bool>& abandoned,
                               const Consumer& consumer, ClientEvents& events,
                               ServiceMetrics& metrics, KafkaMetrics& kafka_metrics, Health& health,
                               Log& log)
    : options_(std::move(options)),
      asks_(std::move(asks)),
      stop_(stop),
      abandoned_(abandoned),
      consumer_(consumer),
      events_(events),
      metrics_(metrics),
      kafka_metrics_(kafka_metrics),
      health_(health),
      log_(log),
      was_ready_(options_.ready),
      trouble_(options_.ready ? "" : "starting") {}

void ServiceMonitor::run(const std::stop_token& ended) {
  auto next_look = steady_clock::now();
  while (!ended.stop_requested()) {
    const auto now = steady_clock::now();
    if (asks_.ends() && !draining_) begin_drain();
    if (draining_ && now >= deadline_) abandon_drain(now);
    consumer_.serve();
    if (events_.brokers_down() || now >= next_look) {
      look_for_brokers();
      if (!events_.brokers_down() && !draining_) look_at_offsets();
      next_look = steady_clock::now() + kBetweenProbes;
    }
    asks_.step(!events_.brokers_down() && !draining_);
    show_trouble();
    std::this_thread::sleep_for(kStep);
  }
}

// Clients report neither that a broker is back nor that a network drops all packets.
void ServiceMonitor::look_for_brokers() {
  try {
    consumer_.partition_counts({options_.topic});
    events_.brokers_up();
  } catch (const KafkaError&) {
    events_.no_answer();
  }
}

void ServiceMonitor::look_at_offsets() {
  try {
    PartitionBoard& board = kafka_metrics_.partitions();
    const std::vector<TopicPartition> partitions = board.partitions();
    board.ends(consumer_.ends(partitions));
    board.begins(consumer_.begins(partitions));
  } catch (const KafkaError&) {
    // The last known offsets stay until the next call.
  }
}

void ServiceMonitor::begin_drain() {
  draining_ = true;
  deadline_ = steady_clock::now() + options_.drain;
  health_.set_draining();
  metrics_.set_draining();
  log_.info("draining", {{"seconds", options_.drain.count()}});
}

// A call of librdkafka can hang as long as its socket.
void ServiceMonitor::abandon_drain(Time now) {
  abandoned_ = true;
  if (!stop_ || now < deadline_ + kAbandonTime) return;
  log_.error("not drained in time", {{"detail", options_.not_drained}});
  std::_Exit(stop_status());
}

void ServiceMonitor::show_trouble() {
  const std::string now = events_.brokers_down() ? "brokers unreachable" : asks_.trouble();
  if (now == trouble_) return;
  trouble_ = now;
  if (now.empty()) {
    health_.set_ready();
    was_ready_ ? log_.warning("ready again") : log_.info("ready");
    was_ready_ = true;
  } else {
    health_.set_not_ready(now);
    log_.warning("not ready", {{"reason", now}});
  }
}

}  // namespace neardup
