// The topics of a cluster: how they are made, and the rules that they must meet. No Kafka in here:
// cluster_checks.cc sends the requests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "config/config.h"
#include "service/kafka/start/start_rules.h"
#include "service/kafka/start/topic_admin.h"

namespace neardup {

struct ClusterTopicFacts {
  std::map<std::string, std::int32_t> partitions;  // 0: no such topic; left out: not permitted
  std::map<std::string, std::int32_t> replicas;    // the fewest of a partition
  std::map<std::string, Settings> topics;          // left out: not permitted
};

// Users of the topics: each reads and writes some of them.
enum class ClusterUse : std::uint8_t { kInit, kSketch, kDecide, kShard, kResolve };

struct NeededOnTopic {
  std::string topic;
  bool read = false;
  bool write = false;
};
std::vector<NeededOnTopic> needed_operations(ClusterUse use, const ClusterOptions& options);

// Log, answers and decisions.
std::vector<std::string> cluster_topics(const ClusterOptions& options);

// The least `max.message.bytes` of the log, so that every record fits whose text the configuration
// allows.
std::uint64_t wanted_log_bytes(const Config& config);

// The missing topics.
std::vector<NewTopic> new_cluster_topics(const Config& config, const ClusterTopicFacts& facts);

// One sentence for each problem, with what to do.
StartFindings check_cluster_topics(const Config& config, const ClusterTopicFacts& facts);

// The largest message that the log takes.
std::uint64_t log_message_bytes(const ClusterOptions& options, const ClusterTopicFacts& facts);

// The settings of the clients of a decider: it reads the log, and commits in the name of the group
// of deciders.
KafkaOptions decider_options(const Config& config);
// The same, with the topic to which it writes what is decided.
KafkaOptions decider_kafka(const Config& config);

// What to do where a topic of the cluster was deleted and recreated: the end of a failure.
std::string remedy_of_new_topic(const ClusterOptions& options);
// The same for a sketcher, which reads inputs, too.
std::string remedy_of_new_source(const ClusterOptions& options);

}  // namespace neardup
