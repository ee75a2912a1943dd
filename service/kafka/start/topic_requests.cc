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

// Some brokers do not support the request.
void TopicRequests::if_supported(std::string_view what, const std::function<void()>& attempt) {
  try {
    until_done(fmt::format("reading the {} of topics", what), attempt);
  } catch (const KafkaError& error) {
    retry_.log().warning(fmt::format("{} not checked", what), {{"reason", error.what()}});
  }
}

Described TopicRequests::describe(const PartitionCounts& partitions) {
  const std::vector<std::string> topics = existing(partitions);
  Described described;
  if_supported("settings", [&] { described = describe_settings(consumer_.handle(), topics); });
  return described;
}

std::map<std::string, Permitted> TopicRequests::permitted(const PartitionCounts& partitions) {
  const std::vector<std::string> topics = existing(partitions);
  std::map<std::string, Permitted> permitted;
  if (topics.empty()) return permitted;
  if_supported("permissions",
               [&] { permitted = permitted_operations(consumer_.handle(), topics); });
  return permitted;
}

std::string to_text(const NotCreated& one, const KafkaOptions& options) {
  if (classify(one.code) == ErrorClass::kDenied) {
    return missing_permission(options, "CREATE", "topic " + one.topic);
  }
  return fmt::format("topic {} cannot be created: {}", one.topic, one.why);
}

}  // namespace neardup
