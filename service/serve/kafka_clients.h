// What a process of `serve` has of Kafka: its clients, how they wait for brokers, and whether
// brokers answer.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/monitor/kafka_metrics.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/topic_watch.h"
#include "service/monitor/watchdog.h"
#include "service/serve/service_context.h"

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

struct KafkaClients {
  // `reading_ends` and `finishing_ends` end the waits of `reading` and `finishing`. Any thread may
  // call them. `context` must outlive this.
  KafkaClients(const ServiceContext& context, KafkaUse use, std::function<bool()> reading_ends,
               std::function<bool()> finishing_ends);

  // Runs callbacks of librdkafka, and checks every few seconds, or more often while no broker
  // answers, whether one does; unless `draining` also where partitions begin and end. To be called
  // often, by one thread.
  void look(bool draining);

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

  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace neardup
