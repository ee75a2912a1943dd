#include "service/kafka/start/topic_admin.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "service/kafka/client/admin_request.h"
#include "service/kafka/start/start_rules.h"

namespace neardup {
namespace {

using TopicSpec = std::unique_ptr<rd_kafka_NewTopic_t, Destroy<rd_kafka_NewTopic_destroy>>;
using Resource =
    std::unique_ptr<rd_kafka_ConfigResource_t, Destroy<rd_kafka_ConfigResource_destroy>>;

constexpr std::size_t kMessageBytes = 512;
constexpr int kBrokersDefault = -1;

template <class Owner>
auto raw_pointers(const std::vector<Owner>& owners) {
  std::vector<typename Owner::pointer> raw;
  for (const Owner& owner : owners) raw.push_back(owner.get());
  return raw;
}

TopicSpec make_spec(const NewTopic& topic) {
  std::array<char, kMessageBytes> message{};
  TopicSpec spec(rd_kafka_NewTopic_new(topic.name.c_str(), topic.partitions, kBrokersDefault,
                                       message.data(), message.size()));
  if (!spec) {
    throw KafkaError(ErrorClass::kAbortable, RD_KAFKA_RESP_ERR__INVALID_ARG, message.data());
  }
  for (const auto& [name, value] : topic.settings) {
    check(rd_kafka_NewTopic_set_config(spec.get(), name.c_str(), value.c_str()),
          "setting up a new topic");
  }
  return spec;
}

Settings settings_of(const rd_kafka_ConfigResource_t* resource) {
  Settings settings;
  std::size_t count = 0;
  const auto* const* entries = rd_kafka_ConfigResource_configs(resource, &count);
  for (const auto* entry : std::span(entries, count)) {
    if (const char* value = rd_kafka_ConfigEntry_value(entry)) {
      settings[rd_kafka_ConfigEntry_name(entry)] = value;
    }
  }
  return settings;
}

std::vector<std::string> existing(const PartitionCounts& partitions) {
  std::vector<std::string> topics;
  for (const auto& [topic, count] : partitions) {
    if (count > 0) topics.push_back(topic);
  }
  return topics;
}

std::vector<NotCreated> create_topics(rd_kafka_t* client, const std::vector<NewTopic>& topics) {
  std::vector<TopicSpec> specs;
  for (const NewTopic& topic : topics) specs.push_back(make_spec(topic));
  auto raw = raw_pointers(specs);
  const KafkaEvent answer =
      ask_admin(client, RD_KAFKA_ADMIN_OP_CREATETOPICS, "creating topics",
                [&](const rd_kafka_AdminOptions_t* options, rd_kafka_queue_t* queue) {
                  rd_kafka_CreateTopics(client, raw.data(), raw.size(), options, queue);
                });
  std::size_t count = 0;
  const auto* const* results =
      rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(answer.get()), &count);
  std::vector<NotCreated> failed;
  for (const auto* result : std::span(results, count)) {
    const rd_kafka_resp_err_t code = rd_kafka_topic_result_error(result);
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR || code == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) {
      continue;
    }
    const char* why = rd_kafka_topic_result_error_string(result);
    failed.push_back(
        {rd_kafka_topic_result_name(result), code, why != nullptr ? why : rd_kafka_err2str(code)});
  }
  return failed;
}

Described describe_settings(rd_kafka_t* client, const std::vector<std::string>& topics) {
  constexpr std::string_view kDoing = "reading the settings of topics";
  const std::int32_t broker = rd_kafka_controllerid(client, RetryPolicy::kCallMs);
  if (broker < 0) check(RD_KAFKA_RESP_ERR__TIMED_OUT, kDoing);
  std::vector<Resource> resources;
  resources.emplace_back(
      rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_BROKER, std::to_string(broker).c_str()));
  for (const std::string& topic : topics) {
    resources.emplace_back(rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str()));
  }
  auto raw = raw_pointers(resources);
  const KafkaEvent answer =
      ask_admin(client, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, kDoing,
                [&](const rd_kafka_AdminOptions_t* options, rd_kafka_queue_t* queue) {
                  rd_kafka_DescribeConfigs(client, raw.data(), raw.size(), options, queue);
                });
  std::size_t count = 0;
  const auto* const* results = rd_kafka_DescribeConfigs_result_resources(
      rd_kafka_event_DescribeConfigs_result(answer.get()), &count);
  Described described;
  for (const auto* result : std::span(results, count)) {
    if (rd_kafka_ConfigResource_error(result) != RD_KAFKA_RESP_ERR_NO_ERROR) continue;
    if (rd_kafka_ConfigResource_type(result) == RD_KAFKA_RESOURCE_BROKER) {
      described.broker = settings_of(result);
    } else {
      described.topics[rd_kafka_ConfigResource_name(result)] = settings_of(result);
    }
  }
  return described;
}

std::map<std::string, Permitted> permitted_operations(rd_kafka_t* client,
                                                      const std::vector<std::string>& topics) {
  constexpr std::string_view kDoing = "reading the permissions on topics";
  std::vector<const char*> raw;
  for (const std::string& topic : topics) raw.push_back(topic.c_str());
  const TopicNames names(rd_kafka_TopicCollection_of_topic_names(raw.data(), raw.size()));
  const KafkaEvent answer = ask_admin(
      client, RD_KAFKA_ADMIN_OP_DESCRIBETOPICS, kDoing,
      [&](rd_kafka_AdminOptions_t* options, rd_kafka_queue_t* queue) {
        const KafkaErrorPtr error(
            rd_kafka_AdminOptions_set_include_authorized_operations(options, 1));
        check(error ? rd_kafka_error_code(error.get()) : RD_KAFKA_RESP_ERR_NO_ERROR, kDoing);
        rd_kafka_DescribeTopics(client, names.get(), options, queue);
      });
  std::size_t count = 0;
  const auto* const* results = rd_kafka_DescribeTopics_result_topics(
      rd_kafka_event_DescribeTopics_result(answer.get()), &count);
  std::map<std::string, Permitted> permitted;
  for (const auto* result : std::span(results, count)) {
    std::size_t size = 0;
    const auto* operations = rd_kafka_TopicDescription_authorized_operations(result, &size);
    const std::span all(operations, size);
    if (all.empty()) continue;
    permitted[rd_kafka_TopicDescription_name(result)] = {
        .read = std::ranges::count(all, RD_KAFKA_ACL_OPERATION_READ) > 0,
        .write = std::ranges::count(all, RD_KAFKA_ACL_OPERATION_WRITE) > 0};
  }
  return permitted;
}

}  // namespace

std::vector<MemberOfGroup> members_of_group(rd_kafka_t* client, const std::string& group) {
  const char* groups[] = {group.c_str()};
  const KafkaEvent answer =
      ask_admin(client, RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS, "looking up the group",
                [&](const rd_kafka_AdminOptions_t* options, rd_kafka_queue_t* queue) {
                  rd_kafka_DescribeConsumerGroups(client, groups, 1, options, queue);
                });
  std::size_t groups_count = 0;
  const auto* const* results = rd_kafka_DescribeConsumerGroups_result_groups(
      rd_kafka_event_DescribeConsumerGroups_result(answer.get()), &groups_count);
  std::vector<MemberOfGroup> members;
  for (const auto* result : std::span(results, groups_count)) {
    const std::size_t count = rd_kafka_ConsumerGroupDescription_member_count(result);
    for (std::size_t i = 0; i < count; ++i) {
      const auto* member = rd_kafka_ConsumerGroupDescription_member(result, i);
      const auto* has =
          rd_kafka_MemberAssignment_partitions(rd_kafka_MemberDescription_assignment(member));
      members.push_back({rd_kafka_MemberDescription_host(member),
                         has == nullptr ? 0 : static_cast<std::size_t>(has->cnt)});
    }
  }
  return members;
}

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
