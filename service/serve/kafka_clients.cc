#include <utility>

#include "service/serve/service_runner.h"

namespace neardup {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr seconds kBetweenProbes{5};  // of the brokers

}  // namespace

KafkaClients::KafkaClients(const ServiceContext& context, KafkaUse use,
                           std::function<bool()> reading_ends, std::function<bool()> finishing_ends)
    : options(std::move(use.options)),
      events(context.log),
      metrics(context.registry, events),
      reading(std::move(reading_ends), events, context.log),
      finishing(std::move(finishing_ends), events, context.log),
      consumer(options, events),
      topics(options, std::move(use.topics), std::move(use.remedy), events),
      topic_look(topics, context.log) {}

void KafkaClients::look(bool draining) {
  consumer.serve();
  const bool due = look_soon_.exchange(false) || steady_clock::now() >= next_look_;
  if (!due && !events.brokers_down()) return;
  look_for_brokers();
  if (!events.brokers_down() && !draining) look_at_offsets();
  next_look_ = steady_clock::now() + kBetweenProbes;
}

// Clients report neither that a broker is back nor that a network drops all packets.
void KafkaClients::look_for_brokers() {
  try {
    consumer.partition_counts({topics.topics().front()});
    events.brokers_up();
  } catch (const KafkaError&) {
    events.no_answer();
  }
}

void KafkaClients::look_at_offsets() {
  try {
    PartitionBoard& board = metrics.partitions();
    const std::vector<TopicPartition> partitions = board.partitions();
    board.ends(consumer.ends(partitions));
    board.begins(consumer.begins(partitions));
  } catch (const KafkaError&) {
    // The last known offsets stay until the next call.
  }
}

}  // namespace neardup
