// What an administrator asks: to create topics, their settings, whether we may use a group. Errors
// are KafkaErrors; each call takes a few seconds at most.
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

// Returns those that could not be created. A topic that is there already is fine. Requires: not
// empty. Other users of the brokers may not see the topics at once.
std::vector<NotCreated> create_topics(rd_kafka_t* client, const std::vector<NewTopic>& topics);

struct Described {
  std::map<std::string, Settings> topics;
  std::optional<Settings> broker;  // of any one
};

// What we may not see is left out.
Described describe_settings(rd_kafka_t* client, const std::vector<std::string>& topics);

// False when the group is closed to us. True does not promise that we may commit.
bool may_see_group(rd_kafka_t* client, const std::string& group);

}  // namespace neardup
