#include "service/kafka/cluster/cluster_topics.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "service/cluster/placement.h"

namespace neardup {
namespace {

constexpr const char* kCleanupPolicy = "cleanup.policy";
constexpr const char* kCompression = "compression.type";
constexpr const char* kRetentionMs = "retention.ms";
constexpr const char* kRetentionBytes = "retention.bytes";
constexpr const char* kMaxMessageBytes = "max.message.bytes";
constexpr const char* kInSync = "min.insync.replicas";
constexpr const char* kUnclean = "unclean.leader.election.enable";

// Chunks have 900 000 bytes, and the librdkafka of sketchers batches of 1 000 000.
constexpr std::int64_t kLeastLogBytes = 1'000'000;
// Of a record besides its text: id, namespace, sketch, url.
constexpr std::uint64_t kRoomForRecord = std::uint64_t{64} << 10;
constexpr std::uint64_t kZstdShare = 256;  // a text that cannot be compressed grows by 1/256
// Of an answer about 256 records, each of which lists many documents in all of its buckets.
constexpr const char* kAnswerBytes = "16777216";
constexpr const char* kWeek = "604800000";
constexpr const char* kHour = "3600000";
constexpr const char* kUnlimited = "-1";

std::optional<std::string> setting(const std::string& topic, const char* key,
                                   const ClusterTopicFacts& facts) {
  const auto settings = facts.topics.find(topic);
  if (settings == facts.topics.end()) return {};
  const auto found = settings->second.find(key);
  return found == settings->second.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::int64_t> number(const std::string& topic, const char* key,
                                   const ClusterTopicFacts& facts) {
  const std::string text = setting(topic, key, facts).value_or("");
  std::int64_t parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  return error == std::errc() ? std::optional(parsed) : std::nullopt;
}

std::optional<std::int32_t> known(const std::map<std::string, std::int32_t>& counts,
                                  const std::string& topic) {
  const auto found = counts.find(topic);
  return found == counts.end() || found->second == 0 ? std::nullopt : std::optional(found->second);
}

class Checks {
 public:
  Checks(const Config& config, const ClusterTopicFacts& facts)
      : config_(config), options_(config.cluster), facts_(facts) {}

  StartFindings run() {
    one_partition(options_.log_topic(), "the order of its records is the order of the cluster");
    one_partition(options_.decisions_topic(), "its last message says how far the cluster is");
    enough_partitions();
    for (const std::string& topic : cluster_topics(options_)) {
      not_compacted(topic);
      clean_election(topic);
    }
    log_bytes();
    log_retention();
    decisions_retention();
    not_compressed();
    // Answers can be requested again.
    for (const std::string& topic : {options_.log_topic(), options_.decisions_topic()}) {
      replicated(topic);
      visible(topic);
    }
    return std::move(findings_);
  }

 private:
  void problem(std::string text) { findings_.problems.push_back(std::move(text)); }
  void warning(std::string text) { findings_.warnings.push_back(std::move(text)); }

  void one_partition(const std::string& topic, std::string_view why) {
    const auto count = known(facts_.partitions, topic);
    if (!count || *count == 1) return;
    problem(
        fmt::format("topic {} has {} partitions, and must have 1, since {}: delete it and run "
                    "`neardup cluster init`, or take another cluster.name",
                    topic, *count, why));
  }

  void enough_partitions() {
    const std::string topic = options_.answers_topic();
    const auto count = known(facts_.partitions, topic);
    if (!count || *count >= static_cast<std::int32_t>(kMostShards)) return;
    problem(
        fmt::format("topic {} has {} partitions, and needs one for each of {} shards: add "
                    "partitions to it",
                    topic, *count, kMostShards));
  }

  void not_compacted(const std::string& topic) {
    const auto policy = setting(topic, kCleanupPolicy, facts_);
    if (!policy || policy->find("compact") == std::string::npos) return;
    problem(
        fmt::format("topic {} has {}={}, which refuses or loses messages without a key: set it "
                    "to delete",
                    topic, kCleanupPolicy, *policy));
  }

  void clean_election(const std::string& topic) {
    if (setting(topic, kUnclean, facts_) != "true") return;
    problem(
        fmt::format("topic {} has {}=true, so that a broker that lags behind may take over and "
                    "lose messages that were acknowledged: set it to false",
                    topic, kUnclean));
  }

  void log_bytes() {
    const std::string topic = options_.log_topic();
    const auto taken = number(topic, kMaxMessageBytes, facts_);
    const std::uint64_t wanted = wanted_log_bytes(config_);
    if (!taken || static_cast<std::uint64_t>(*taken) >= wanted) return;
    if (*taken < kLeastLogBytes) {
      return problem(
          fmt::format("topic {} has {}={}, and messages of the log have up to {} bytes: "
                      "set it to {} at least",
                      topic, kMaxMessageBytes, *taken, kLeastLogBytes, wanted));
    }
    warning(
        fmt::format("topic {} has {}={}, and with verify.mode: exact the log holds texts of up "
                    "to {} bytes (text.max_bytes): documents that do not fit are rejected. Set "
                    "it to {}",
                    topic, kMaxMessageBytes, *taken, config_.text.max_bytes, wanted));
  }

  void log_retention() {
    const std::string topic = options_.log_topic();
    const auto kept = number(topic, kRetentionBytes, facts_);
    if (!kept || *kept < 0 || static_cast<std::uint64_t>(*kept) / 2 >= options_.log.max_lag) return;
    problem(
        fmt::format("topic {} has {}={}, less than twice cluster.log.max_lag ({}): records "
                    "could be deleted before they are decided. Raise the former or lower the "
                    "latter",
                    topic, kRetentionBytes, *kept, options_.log.max_lag));
  }

  // Unlimited is −1.
  void decisions_retention() {
    const auto kept = number(options_.decisions_topic(), kRetentionMs, facts_);
    const auto log = number(options_.log_topic(), kRetentionMs, facts_);
    if (!kept || !log || *kept < 0 || (*log >= 0 && *kept >= *log)) return;
    warning(
        fmt::format("topic {} has {}={}, shorter than that of {} ({}): what is decided must be "
                    "kept at least as long. Raise the former",
                    options_.decisions_topic(), kRetentionMs, *kept, options_.log_topic(), *log));
  }

  void not_compressed() {
    const std::string topic = options_.log_topic();
    const std::string kind = setting(topic, kCompression, facts_).value_or("producer");
    if (kind == "producer" || kind == "uncompressed") return;
    warning(
        fmt::format("topic {} has {}={}, which costs the broker time and saves nothing, since "
                    "sketches are random: set it to uncompressed",
                    topic, kCompression, kind));
  }

  void replicated(const std::string& topic) {
    if (const auto count = known(facts_.replicas, topic); count && *count < 3) {
      return warning(
          fmt::format("topic {} has {} of 3 replicas: a broker that is lost stops the "
                      "cluster, or takes records with it",
                      topic, *count));
    }
    const auto in_sync = number(topic, kInSync, facts_);
    if (!in_sync || *in_sync >= 2) return;
    warning(
        fmt::format("topic {} has {}={}: a record may be acknowledged by one broker only, and "
                    "be lost with it. Set it to 2",
                    topic, kInSync, *in_sync));
  }

  void visible(const std::string& topic) {
    if (!known(facts_.partitions, topic) || facts_.topics.contains(topic)) return;
    warning(fmt::format("topic {}: settings not checked, since DESCRIBE_CONFIGS is not permitted",
                        topic));
  }

  const Config& config_;
  const ClusterOptions& options_;
  const ClusterTopicFacts& facts_;
  StartFindings findings_;
};

}  // namespace

std::vector<std::string> cluster_topics(const ClusterOptions& options) {
  return {options.log_topic(), options.answers_topic(), options.decisions_topic()};
}

std::vector<NeededOnTopic> needed_operations(ClusterUse use, const ClusterOptions& options) {
  const std::string log = options.log_topic();
  const std::string answers = options.answers_topic();
  const std::string decisions = options.decisions_topic();
  switch (use) {
    case ClusterUse::kSketch:
      return {{.topic = log, .write = true}, {.topic = decisions, .read = true}};
    case ClusterUse::kInit:
    case ClusterUse::kDecide:
      return {{.topic = log, .read = true}, {.topic = decisions, .read = true, .write = true}};
    case ClusterUse::kShard:
      return {{.topic = log, .read = true},
              {.topic = decisions, .read = true},
              {.topic = answers, .write = true}};
    case ClusterUse::kResolve:
      return {{.topic = log, .read = true},
              {.topic = decisions, .read = true, .write = true},
              {.topic = answers, .read = true}};
  }
  return {};
}

std::uint64_t wanted_log_bytes(const Config& config) {
  const std::uint64_t least = kLeastLogBytes;
  if (config.decision.verify != VerifyMode::kExact) return least;
  const std::uint64_t text = config.text.max_bytes;
  return std::max(least, text + text / kZstdShare + kRoomForRecord);
}

std::vector<NewTopic> new_cluster_topics(const Config& config, const ClusterTopicFacts& facts) {
  const ClusterOptions& options = config.cluster;
  const std::string log_bytes =
      std::to_string(std::max<std::uint64_t>(wanted_log_bytes(config), std::uint64_t{1} << 20));
  std::vector<NewTopic> topics = {
      {options.log_topic(), 1, {{kRetentionMs, kWeek}, {kMaxMessageBytes, log_bytes}}},
      {options.answers_topic(),
       kMostShards,
       {{kRetentionMs, kHour}, {kMaxMessageBytes, kAnswerBytes}}},
      {options.decisions_topic(), 1, {{kRetentionMs, kUnlimited}, {kRetentionBytes, kUnlimited}}},
  };
  std::erase_if(topics, [&](const NewTopic& topic) {
    const auto found = facts.partitions.find(topic.name);
    return found == facts.partitions.end() || found->second != 0;
  });
  for (NewTopic& topic : topics) {
    topic.settings[kCleanupPolicy] = "delete";
    topic.settings[kCompression] = "uncompressed";
    topic.settings[kUnclean] = "false";
  }
  return topics;
}

StartFindings check_cluster_topics(const Config& config, const ClusterTopicFacts& facts) {
  return Checks(config, facts).run();
}

std::uint64_t log_message_bytes(const ClusterOptions& options, const ClusterTopicFacts& facts) {
  return static_cast<std::uint64_t>(
      number(options.log_topic(), kMaxMessageBytes, facts).value_or(kLeastLogBytes));
}

KafkaOptions decider_options(const Config& config) {
  KafkaOptions options = config.kafka;
  options.topics = {config.cluster.log_topic()};
  options.group_id = config.cluster.decider_group();
  options.instance = 0;
  options.instances = 1;
  return options;
}

KafkaOptions decider_kafka(const Config& config) {
  KafkaOptions options = decider_options(config);
  options.order_topic = config.cluster.decisions_topic();
  options.dead_letter_topic.clear();  // sketchers write those
  return options;
}

std::string remedy_of_new_topic(const ClusterOptions& options) {
  return fmt::format(
      "Undecided records of the old topic are missing, and no record of the new one was decided. "
      "Stop all processes of the cluster {}, then see docs/cluster.md (A topic was recreated).",
      options.name);
}

std::string remedy_of_new_source(const ClusterOptions& options) {
  return fmt::format(
      "An input keeps its positions in the cluster {} for ever: create the new topic under another "
      "name, and set kafka.topics to that. For a topic of the cluster, stop all its processes, "
      "then see docs/cluster.md (A topic was recreated).",
      options.name);
}

}  // namespace neardup
