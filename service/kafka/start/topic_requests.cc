#include "service/kafka/start/topic_requests.h"

#include <fmt/core.h>

#include <algorithm>

#include "service/kafka/start/start_rules.h"

namespace neardup {
namespace {

std::vector<std::string> existing(const PartitionCounts& partitions) {
  std::vector<std::string> topics;
  for (const auto& [topic, count] : partitions) {
    if (count > 0) topics.push_back(topic);
  }
  return topics;
}

}  // namespace

void TopicRequests::until_done(std::string_view doing, const std::function<void()>& attempt) {
  retry_.until_done(doing, [&] {
    try {
      attempt();
    } catch (const KafkaError&) {
      consumer_.serve();
      throw;
    }
  });
}

std::vector<NotCreated> TopicRequests::create(
    const std::vector<NewTopic>& topics,
    const std::function<std::int32_t(const std::string& topic)>& look_up) {
  std::vector<NotCreated> failed;
  if (topics.empty()) return failed;
  until_done("creating topics", [&] { failed = create_topics(consumer_.handle(), topics); });
  for (const NewTopic& topic : topics) {
    if (std::ranges::find(failed, topic.name, &NotCreated::topic) == failed.end()) {
      await(topic.name, look_up);
    }
  }
  return failed;
}

void TopicRequests::await(const std::string& topic,
                          const std::function<std::int32_t(const std::string& topic)>& look_up) {
  std::int32_t partitions = 0;
  until_done("waiting for the new topics", [&] {
    partitions = look_up(topic);
    if (partitions == 0) {
      check(RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, fmt::format("looking up topic {}", topic));
    }
  });
  retry_.log().info("topic created", {{"topic", topic}, {"partitions", partitions}});
}

Described TopicRequests::describe(const PartitionCounts& partitions) {
  const std::vector<std::string> topics = existing(partitions);
  Described described;
  try {
    until_done("reading the settings of topics",
               [&] { described = describe_settings(consumer_.handle(), topics); });
  } catch (const KafkaError& error) {  // brokers that do not support the request
    retry_.log().warning("settings not checked", {{"reason", error.what()}});
  }
  return described;
}

std::map<std::string, Permitted> TopicRequests::permitted(const PartitionCounts& partitions) {
  const std::vector<std::string> topics = existing(partitions);
  std::map<std::string, Permitted> permitted;
  if (topics.empty()) return permitted;
  try {
    until_done("reading the permissions on topics",
               [&] { permitted = permitted_operations(consumer_.handle(), topics); });
  } catch (const KafkaError& error) {  // brokers that do not support the request
    retry_.log().warning("permissions not checked", {{"reason", error.what()}});
  }
  return permitted;
}

std::string to_text(const NotCreated& one, const KafkaOptions& options) {
  if (classify(one.code) == ErrorClass::kDenied) {
    return missing_permission(options, "CREATE", "topic " + one.topic);
  }
  return fmt::format("topic {} cannot be created: {}", one.topic, one.why);
}

}  // namespace neardup
