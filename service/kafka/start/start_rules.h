// The rules that topics and their settings must meet before a service starts. No Kafka in here:
// start_checks.cc sends the requests and creates topics.
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
  std::map<std::string, std::int32_t> partitions;  // 0: no such topic; left out: not permitted
  std::map<std::string, Settings> topics;          // left out: not permitted
  std::optional<Settings> broker;
  Settings producer;  // the keys of kProducerKeys
};

inline constexpr const char* kProducerKeys[] = {"batch.size", "message.max.bytes",
                                                "transaction.timeout.ms"};

// Problems prevent the start, warnings do not. Each is one line that says what to do.
struct StartFindings {
  std::vector<std::string> problems;
  std::vector<std::string> warnings;
};

// The topic from which the order of delivered records can be read back; nothing: there is none.
std::optional<std::string> order_record(const KafkaOptions& options, OutputMode mode);

// Inputs, output, dead letters, and the order topic if there is one.
std::vector<std::string> all_topics(const KafkaOptions& options);

std::vector<std::string> missing_topics(const KafkaOptions& options, const StartFacts& facts);

std::string missing_topic(std::string_view topic);

// "READ on topic docs"; `operation` and `resource` as Kafka's own tools name them.
std::string missing_permission(const KafkaOptions& options, std::string_view operation,
                               std::string_view resource);

// The warning that `topic` (order_record) cannot be read.
std::string unreadable_order(const KafkaOptions& options, std::string_view topic);

// The problem that this instance has no partition to read; nothing when it has one, or when the
// partitions are not known.
std::optional<std::string> no_partition(const KafkaOptions& options, const StartFacts& facts);

// The missing topics of either kind, with settings that suit `mode`. Outputs take their partition
// count and limits from the inputs, so `facts` must have those of the inputs by then.
std::vector<NewTopic> new_inputs(const KafkaOptions& options, const StartFacts& facts);
std::vector<NewTopic> new_outputs(const KafkaOptions& options, OutputMode mode,
                                  const StartFacts& facts);

StartFindings check_settings(const KafkaOptions& options, OutputMode mode, const StartFacts& facts);

MessageLimits message_limits(const KafkaOptions& options, const StartFacts& facts);

// All problems as one message. Requires: not empty.
std::string to_text(const std::vector<std::string>& problems);

}  // namespace neardup
