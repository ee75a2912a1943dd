// Admin requests: creating topics, reading their settings and what is permitted on them, asking for
// the members of a group.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

using Settings = std::map<std::string, std::string>;

struct NewTopic {
  std::string name;
  std::int32_t partitions = -1;  // -1: as many as the brokers' default
  Settings settings;             // all others are the brokers' defaults
};

struct NotCreated {
  std::string topic;
  rd_kafka_resp_err_t code;
  std::string why;
};

struct Described {
  std::map<std::string, Settings> topics;
  std::optional<Settings> broker;  // of the controller
};

// Operations that this user may do on a topic.
struct Permitted {
  bool read = false;
  bool write = false;
};

struct MemberOfGroup {
  std::string host;
  std::size_t partitions = 0;  // that it has
};
// Empty for a group that does not exist or that may not be described. For commands only: librdkafka
// up to 2.15 may abort the process when the group's coordinator disconnects meanwhile (its pull
// request 5397). Throws KafkaErrors; takes a few seconds at most.
std::vector<MemberOfGroup> members_of_group(rd_kafka_t* client, const std::string& group);

using PartitionCounts = std::map<std::string, std::int32_t>;  // topic → 0: there is none

// Requests about topics, repeated until brokers answer.
class TopicRequests {
 public:
  // The references must outlive this.
  TopicRequests(const Consumer& consumer, RetryPolicy& retry)
      : consumer_(consumer), retry_(retry) {}

  // As RetryPolicy::until_done. librdkafka reports only in polls why brokers deny the connection.
  void until_done(std::string_view doing, const std::function<void()>& attempt);

  // Creates topics and waits until the brokers know them, which they learn one after another. An
  // existing topic is no error. `look_up` asks for a topic's partitions; 0: it is not known yet.
  // Returns the topics that could not be created.
  std::vector<NotCreated> create(
      const std::vector<NewTopic>& topics,
      const std::function<std::int32_t(const std::string& topic)>& look_up);

  // The settings of existing topics, without the ones that may not be read. Logs a warning where
  // brokers do not support the request.
  Described describe(const PartitionCounts& partitions);

  // Permissions on existing topics, without the ones that may not be described. Empty where brokers
  // do not support the request.
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
