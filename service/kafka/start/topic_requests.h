// Requests of start checks about topics, repeated until brokers answer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/start/topic_admin.h"

namespace neardup {

using PartitionCounts = std::map<std::string, std::int32_t>;  // topic → 0: there is none

class TopicRequests {
 public:
  // The references must outlive this.
  TopicRequests(const Consumer& consumer, RetryPolicy& retry)
      : consumer_(consumer), retry_(retry) {}

  // As RetryPolicy::until_done. librdkafka reports only in polls why brokers deny the connection.
  void until_done(std::string_view doing, const std::function<void()>& attempt);

  // Creates topics and waits until the brokers know them, which they learn one after another.
  // `look_up` asks for a topic's partitions; 0: it is not known yet. Returns those that could not
  // be created.
  std::vector<NotCreated> create(
      const std::vector<NewTopic>& topics,
      const std::function<std::int32_t(const std::string& topic)>& look_up);

  // The settings of the topics that there are. Logs a warning where brokers do not support the
  // request.
  Described describe(const PartitionCounts& partitions);

  // What is permitted on those topics that there are. Empty where brokers do not support the
  // request.
  std::map<std::string, Permitted> permitted(const PartitionCounts& partitions);

 private:
  void if_supported(std::string_view what, const std::function<void()>& attempt);
  void await(const std::string& topic,
             const std::function<std::int32_t(const std::string& topic)>& look_up);

  const Consumer& consumer_;
  RetryPolicy& retry_;
};

// One sentence: what is missing to create the topic.
std::string to_text(const NotCreated& one, const KafkaOptions& options);

}  // namespace neardup
