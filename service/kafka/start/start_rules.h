// What must hold of topics and their settings before a service starts. No Kafka in here: asking and
// creating is for service/kafka/start_checks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/start/topic_admin.h"

namespace neardup {

struct StartFacts {
  std::map<std::string, std::int32_t> partitions;  // 0: no such topic; left out: we may not look
  std::map<std::string, Settings> topics;          // of those whose settings we may see
  std::optional<Settings> broker;
  Settings producer;  // the keys of kProducerKeys
};

inline constexpr const char* kProducerKeys[] = {"batch.size", "message.max.bytes",
                                                "transaction.timeout.ms"};

// What stops the service, and what people should know. A line each, which says what to do.
struct StartFindings {
  std::vector<std::string> problems;
  std::vector<std::string> warnings;
};

// Inputs, output, dead letters.
std::vector<std::string> all_topics(const KafkaOptions& options);

std::vector<std::string> missing_topics(const KafkaOptions& options, const StartFacts& facts);

std::string missing_topic(std::string_view topic);

// "READ on topic docs"; `operation` and `resource` as Kafka's own tools name them.
std::string missing_permission(const KafkaOptions& options, std::string_view operation,
                               std::string_view resource);

// Nothing when this instance has a partition to read, or the partitions are not known.
std::optional<std::string> no_partition(const KafkaOptions& options, const StartFacts& facts);

// The missing topics of either kind, with settings that suit `mode`. Outputs follow the inputs:
// their partitions and settings must be known by then.
std::vector<NewTopic> new_inputs(const KafkaOptions& options, const StartFacts& facts);
std::vector<NewTopic> new_outputs(const KafkaOptions& options, OutputMode mode,
                                  const StartFacts& facts);

StartFindings check_settings(const KafkaOptions& options, OutputMode mode, const StartFacts& facts);

MessageLimits message_limits(const KafkaOptions& options, const StartFacts& facts);

// One text for people. Requires: not empty.
std::string to_text(const std::vector<std::string>& problems);

}  // namespace neardup
