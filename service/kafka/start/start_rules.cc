#include "service/kafka/start/start_rules.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "service/kafka/read/assignment.h"

namespace neardup {
namespace {

constexpr const char* kCleanup = "cleanup.policy";
constexpr const char* kRetention = "retention.ms";
constexpr const char* kTopicBytes = "max.message.bytes";
constexpr const char* kProducerBytes = "message.max.bytes";

// For the headers that the service adds to a passed-on message.
constexpr std::uint64_t kRoomForHeaders = std::uint64_t{1} << 20;
constexpr std::uint64_t kLargestSetting = std::numeric_limits<std::int32_t>::max();

std::optional<std::string> value(const Settings& settings, const std::string& key) {
  const auto found = settings.find(key);
  return found == settings.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> number(const Settings& settings, const std::string& key) {
  const std::optional<std::string> text = value(settings, key);
  std::uint64_t parsed = 0;
  if (!text) return {};
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), parsed);
  return error == std::errc() ? std::optional(parsed) : std::nullopt;
}

const Settings& settings_of(const std::string& topic, const StartFacts& facts) {
  static const Settings kUnknown;
  const auto found = facts.topics.find(topic);
  return found == facts.topics.end() ? kUnknown : found->second;
}

bool compacts(const std::string& topic, const StartFacts& facts) {
  return value(settings_of(topic, facts), kCleanup).value_or("").find("compact") !=
         std::string::npos;
}

bool is_missing(const std::string& topic, const StartFacts& facts) {
  const auto found = facts.partitions.find(topic);
  return found != facts.partitions.end() && found->second == 0;
}

std::int32_t most_partitions(const KafkaOptions& options, const StartFacts& facts) {
  std::int32_t most = 0;
  for (const std::string& topic : options.topics) {
    const auto found = facts.partitions.find(topic);
    if (found != facts.partitions.end()) most = std::max(most, found->second);
  }
  return most;
}

// The largest max.message.bytes of the inputs; nothing: not known.
std::optional<std::uint64_t> largest_input(const KafkaOptions& options, const StartFacts& facts) {
  std::optional<std::uint64_t> largest;
  for (const std::string& topic : options.topics) {
    largest = std::max(largest, number(settings_of(topic, facts), kTopicBytes));
  }
  return largest;
}

std::uint64_t limit_of(const std::string& topic, const StartFacts& facts) {
  const std::uint64_t producer = number(facts.producer, kProducerBytes).value_or(kLargestSetting);
  return std::min(producer, number(settings_of(topic, facts), kTopicBytes).value_or(producer));
}

void check_output_compaction(const KafkaOptions& options, OutputMode mode, const StartFacts& facts,
                             StartFindings& findings) {
  const auto compacted = [&](const std::string& topic) {
    return fmt::format("topic {} has cleanup.policy={}", topic,
                       value(settings_of(topic, facts), kCleanup).value_or(""));
  };
  if (compacts(options.dead_letter_topic, facts)) {
    findings.problems.push_back(
        compacted(options.dead_letter_topic) +
        ", which loses dead letters with equal keys and refuses those without: set it to delete");
  }
  if (!compacts(options.output_topic, facts)) return;
  if (mode == OutputMode::kFlags) {
    findings.problems.push_back(
        compacted(options.output_topic) +
        ", which loses flags of equal ids and refuses those without an id: set it to delete");
  } else {
    findings.warnings.push_back(
        compacted(options.output_topic) +
        ", which refuses messages without a key: the service waits at the first of them");
  }
}

// The retention.ms of a topic; nothing: unlimited, or not known.
std::optional<std::uint64_t> retention_of(const std::string& topic, const StartFacts& facts) {
  const auto policy = value(settings_of(topic, facts), kCleanup);
  if (policy && policy->find("delete") == std::string::npos) return {};
  return number(settings_of(topic, facts), kRetention);
}

// The retention.ms of the input that keeps messages longest; nothing: not known.
std::optional<std::string> longest_input(const KafkaOptions& options, const StartFacts& facts) {
  std::optional<std::uint64_t> longest;
  for (const std::string& topic : options.topics) {
    if (!value(settings_of(topic, facts), kRetention)) return {};
    const auto input = retention_of(topic, facts);
    if (!input) return "-1";
    longest = std::max(longest, input);
  }
  return longest ? std::optional(std::to_string(*longest)) : std::nullopt;
}

// An older state catches up from the input and from the delivered messages: the latter must be kept
// as long as the input.
void check_retention(const KafkaOptions& options, OutputMode mode, const StartFacts& facts,
                     StartFindings& findings) {
  const auto kept = order_record(options, mode);
  if (!kept) return;
  const auto output = retention_of(*kept, facts);
  if (!output) return;
  for (const std::string& topic : options.topics) {
    if (!facts.topics.contains(topic)) continue;
    const auto input = retention_of(topic, facts);
    if (input && *input <= *output) continue;
    findings.warnings.push_back(fmt::format(
        "topic {} has retention.ms={}, shorter than that of input topic {} ({}): a state that is "
        "restored from a backup older than that cannot catch up, though its input is still there. "
        "Raise the former",
        *kept, *output, topic, input ? std::to_string(*input) : "without limit"));
    return;
  }
}

void check_order_compaction(const KafkaOptions& options, const StartFacts& facts,
                            StartFindings& findings) {
  if (options.order_topic.empty() || !compacts(options.order_topic, facts)) return;
  findings.problems.push_back(fmt::format(
      "topic {} has cleanup.policy={}, which loses the order of all batches but the last: set it "
      "to delete",
      options.order_topic, value(settings_of(options.order_topic, facts), kCleanup).value_or("")));
}

void check_input_compaction(const KafkaOptions& options, const StartFacts& facts,
                            StartFindings& findings) {
  for (const std::string& topic : options.topics) {
    if (!compacts(topic, facts)) continue;
    findings.warnings.push_back(fmt::format(
        "topic {} is compacted: a state that is older than the delivered flags cannot catch up "
        "once records that it had read are gone",
        topic));
  }
}

// librdkafka does not split a batch that the broker refuses as too large: it would resend it
// forever.
void check_batch_size(const std::string& topic, const StartFacts& facts, StartFindings& findings) {
  const auto batch = number(facts.producer, "batch.size");
  const auto taken = number(settings_of(topic, facts), kTopicBytes);
  if (!batch || !taken || *taken >= *batch) return;
  findings.problems.push_back(fmt::format(
      "topic {} has max.message.bytes={}, and batches have up to {} bytes: raise the former, or "
      "lower kafka.librdkafka.batch.size",
      topic, *taken, *batch));
}

void check_output_limit(const KafkaOptions& options, const StartFacts& facts,
                        StartFindings& findings) {
  const std::uint64_t limit = limit_of(options.output_topic, facts);
  const auto input = largest_input(options, facts);
  if (!input || *input <= limit) return;
  findings.warnings.push_back(fmt::format(
      "input messages may have {} bytes, and topic {} takes {}: larger ones become dead letters. "
      "To pass them on, raise its max.message.bytes and kafka.librdkafka.message.max.bytes",
      *input, options.output_topic, limit));
}

void check_transaction_timeout(const StartFacts& facts, StartFindings& findings) {
  const auto ours = number(facts.producer, "transaction.timeout.ms");
  const auto most =
      facts.broker ? number(*facts.broker, "transaction.max.timeout.ms") : std::nullopt;
  if (!ours || !most || *ours <= *most) return;
  findings.problems.push_back(
      fmt::format("kafka.librdkafka.transaction.timeout.ms is {}, and the brokers allow {} "
                  "(transaction.max.timeout.ms): lower the former",
                  *ours, *most));
}

void check_visible(const KafkaOptions& options, const StartFacts& facts, StartFindings& findings) {
  std::vector<std::string> hidden;
  for (const std::string& topic : all_topics(options)) {
    const auto found = facts.partitions.find(topic);
    const bool there = found != facts.partitions.end() && found->second > 0;
    if (there && !facts.topics.contains(topic)) hidden.push_back(topic);
  }
  if (hidden.empty()) return;
  findings.warnings.push_back(
      fmt::format("settings not checked: DESCRIBE_CONFIGS is not permitted on topics {}. Without "
                  "it kafka.librdkafka.message.max.bytes must not exceed their max.message.bytes, "
                  "or larger messages stop the delivery",
                  fmt::join(hidden, ", ")));
}

std::string grantee(const KafkaOptions& options) {
  const auto user = options.librdkafka.find("sasl.username");
  return user == options.librdkafka.end() ? "the user of this service" : "User:" + user->second;
}

}  // namespace

std::optional<std::string> order_record(const KafkaOptions& options, OutputMode mode) {
  if (!options.order_topic.empty()) return options.order_topic;
  if (mode == OutputMode::kFlags) return options.output_topic;
  return {};
}

std::vector<std::string> all_topics(const KafkaOptions& options) {
  std::vector<std::string> topics = options.topics;
  topics.push_back(options.output_topic);
  if (!options.dead_letter_topic.empty()) topics.push_back(options.dead_letter_topic);
  if (!options.order_topic.empty()) topics.push_back(options.order_topic);
  return topics;
}

std::vector<std::string> missing_topics(const KafkaOptions& options, const StartFacts& facts) {
  std::vector<std::string> topics = all_topics(options);
  std::erase_if(topics, [&](const std::string& topic) { return !is_missing(topic, facts); });
  return topics;
}

std::string missing_topic(std::string_view topic) {
  return fmt::format("topic {} does not exist: create it, or start once with --create-topics",
                     topic);
}

std::string missing_permission(const KafkaOptions& options, std::string_view operation,
                               std::string_view resource) {
  return fmt::format("missing permission: {} on {}: grant it to {}", operation, resource,
                     grantee(options));
}

std::string unreadable_order(const KafkaOptions& options, std::string_view topic) {
  return fmt::format(
      "READ on topic {} is not permitted: a state that is restored from a backup cannot catch up, "
      "which reads there in which order the records of several partitions were delivered. Grant it "
      "to {}",
      topic, grantee(options));
}

std::optional<std::string> no_partition(const KafkaOptions& options, const StartFacts& facts) {
  const std::int32_t most = most_partitions(options, facts);
  const Assignment assignment{options.topics, options.instance, options.instances};
  if (most == 0 || !assignment.partitions(facts.partitions).empty()) return {};
  return fmt::format(
      "kafka.instance {} of {} has no partition to read, the largest input topic has {}: run at "
      "most that many instances, or add partitions",
      options.instance, options.instances, most);
}

std::vector<NewTopic> new_inputs(const KafkaOptions& options, const StartFacts& facts) {
  std::vector<NewTopic> topics;
  for (const std::string& topic : options.topics) {
    if (is_missing(topic, facts))
      topics.push_back({.name = topic, .partitions = -1, .settings = {}});
  }
  return topics;
}

std::vector<NewTopic> new_outputs(const KafkaOptions& options, OutputMode mode,
                                  const StartFacts& facts) {
  const std::int32_t partitions = most_partitions(options, facts);
  const auto input = largest_input(options, facts);
  std::vector<NewTopic> topics;
  const auto keep = longest_input(options, facts);
  const auto add = [&](const std::string& topic, bool carries_messages, bool tells_order) {
    if (!is_missing(topic, facts)) return;
    NewTopic& added = topics.emplace_back();
    added.name = topic;
    if (partitions > 0) added.partitions = partitions;
    added.settings = {{kCleanup, "delete"}, {"compression.type", "producer"}};
    if (carries_messages && input) {
      added.settings[kTopicBytes] =
          std::to_string(std::min(*input + kRoomForHeaders, kLargestSetting));
    }
    if (tells_order && keep) added.settings[kRetention] = *keep;
  };
  add(options.output_topic, mode != OutputMode::kFlags, mode == OutputMode::kFlags);
  if (!options.dead_letter_topic.empty()) add(options.dead_letter_topic, true, false);
  if (!options.order_topic.empty()) add(options.order_topic, false, true);
  return topics;
}

StartFindings check_settings(const KafkaOptions& options, OutputMode mode,
                             const StartFacts& facts) {
  StartFindings findings;
  check_visible(options, facts, findings);
  check_output_compaction(options, mode, facts, findings);
  check_order_compaction(options, facts, findings);
  check_input_compaction(options, facts, findings);
  check_retention(options, mode, facts, findings);
  check_batch_size(options.output_topic, facts, findings);
  if (!options.dead_letter_topic.empty()) {
    check_batch_size(options.dead_letter_topic, facts, findings);
  }
  if (!options.order_topic.empty()) check_batch_size(options.order_topic, facts, findings);
  if (mode != OutputMode::kFlags) check_output_limit(options, facts, findings);
  if (options.guarantee == Guarantee::kExactlyOnce) check_transaction_timeout(facts, findings);
  return findings;
}

MessageLimits message_limits(const KafkaOptions& options, const StartFacts& facts) {
  return {.output = limit_of(options.output_topic, facts),
          .dead_letter = limit_of(options.dead_letter_topic, facts)};
}

std::string to_text(const std::vector<std::string>& problems) {
  return fmt::format("kafka: the service cannot start:\n- {}", fmt::join(problems, "\n- "));
}

}  // namespace neardup
