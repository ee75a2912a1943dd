// Admin requests: creating topics, reading their settings and what is permitted on them, asking for
// the members of a group. Errors are KafkaErrors; each call takes a few seconds at most.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "service/kafka/client/handles.h"

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

// Returns the topics that could not be created. An existing topic is no error. Requires: not empty.
// It can take a moment until all brokers know the new topics.
std::vector<NotCreated> create_topics(rd_kafka_t* client, const std::vector<NewTopic>& topics);

struct Described {
  std::map<std::string, Settings> topics;
  std::optional<Settings> broker;  // of the controller
};

// Leaves out topics and the broker where reading the settings is not permitted.
Described describe_settings(rd_kafka_t* client, const std::vector<std::string>& topics);

// Operations that this user may do on a topic.
struct Permitted {
  bool read = false;
  bool write = false;
};
// Leaves out topics that do not exist or may not be described, and all where brokers do not say it.
std::map<std::string, Permitted> permitted_operations(rd_kafka_t* client,
                                                      const std::vector<std::string>& topics);

struct MemberOfGroup {
  std::string host;
  std::size_t partitions = 0;  // that it has
};
// Empty for a group that does not exist or that may not be described. For commands only: librdkafka
// up to 2.15 may abort the process when the group's coordinator disconnects meanwhile (its pull
// request 5397).
std::vector<MemberOfGroup> members_of_group(rd_kafka_t* client, const std::string& group);

}  // namespace neardup
