// A producing client of librdkafka and its output topics.
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "config/service_options.h"
#include "service/kafka/client/client_conf.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/message/message.h"

namespace neardup {

class Producer {
 public:
  Producer(const KafkaOptions& options, ClientRole role, RetryPolicy& retry);

  // Hands a copy to librdkafka; waits while its queue is full. `report`, unless it is null, is
  // filled in by a later call of librdkafka. Throws KafkaError, Stopped.
  void produce(const OutgoingMessage& message, DeliveryReport* report = nullptr);

  rd_kafka_t* handle() const { return client_.get(); }

 private:
  using Topic = std::unique_ptr<rd_kafka_topic_t, Destroy<rd_kafka_topic_destroy>>;

  RetryPolicy& retry_;
  KafkaHandle client_;
  std::array<Topic, 3> topics_;  // by Destination; null: none
};

// Waits until every message is reported, after message.timeout.ms as an error. Once `abandoned` is
// true, unsent messages are given up.
void flush(const Producer& producer, const std::atomic<bool>& abandoned);

}  // namespace neardup
