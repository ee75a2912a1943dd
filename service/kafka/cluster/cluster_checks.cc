#include "service/kafka/cluster/cluster_checks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/cluster/cluster_topics.h"
#include "service/kafka/start/topic_admin.h"

namespace neardup {
namespace {

class ClusterChecks {
 public:
  ClusterChecks(const Config& config, ClusterUse use, const Consumer& consumer, RetryPolicy& retry)
      : config_(config),
        use_(use),
        consumer_(consumer),
        retry_(retry),
        requests_(consumer, retry) {}

  ClusterTopicLimits run(bool create) {
    for (const std::string& topic : cluster_topics(config_.cluster)) {
      requests_.until_done("looking up the topics", [&] { look_up(topic); });
    }
    if (create) create_missing();
    name_missing();
    check_permissions();
    facts_.topics = requests_.describe(facts_.partitions).topics;
    StartFindings findings = check_cluster_topics(config_, facts_);
    std::ranges::move(findings.problems, std::back_inserter(problems_));
    for (const std::string& warning : findings.warnings) {
      retry_.log().warning("start check", {{"detail", warning}});
    }
    if (!problems_.empty()) {
      throw Failure(Exit::kConfig,
                    fmt::format("kafka: the topics of cluster {} cannot be used:\n- {}",
                                config_.cluster.name, fmt::join(problems_, "\n- ")));
    }
    return {log_message_bytes(config_.cluster, facts_)};
  }

 private:
  void report_denied(std::string_view operation, const std::string& topic) {
    problems_.push_back(missing_permission(config_.kafka, operation, "topic " + topic));
  }

  void look_up(const std::string& topic) {
    try {
      const TopicSize size = consumer_.size_of(topic);
      facts_.partitions[topic] = size.partitions;
      facts_.replicas[topic] = size.replicas;
    } catch (const KafkaError& error) {
      if (error.code() != RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED) throw;
      report_denied("DESCRIBE", topic);
    }
  }

  void create_missing() {
    const auto failed =
        requests_.create(new_cluster_topics(config_, facts_), [this](const std::string& topic) {
          look_up(topic);
          return facts_.partitions[topic];
        });
    for (const NotCreated& one : failed) {
      not_created_.insert(one.topic);
      problems_.push_back(to_text(one, config_.kafka));
    }
  }

  void name_missing() {
    for (const auto& [topic, partitions] : facts_.partitions) {
      if (partitions > 0 || not_created_.contains(topic)) continue;
      problems_.push_back(
          fmt::format("topic {} does not exist: `neardup cluster init` makes it", topic));
    }
  }

  // Topics that may not even be described are reported before.
  void check_permissions() {
    const auto permitted = requests_.permitted(facts_.partitions);
    for (const NeededOnTopic& needed : needed_operations(use_, config_.cluster)) {
      const auto found = permitted.find(needed.topic);
      if (found == permitted.end()) continue;
      if (needed.read && !found->second.read) report_denied("READ", needed.topic);
      if (needed.write && !found->second.write) report_denied("WRITE", needed.topic);
    }
  }

  const Config& config_;
  const ClusterUse use_;
  const Consumer& consumer_;
  RetryPolicy& retry_;
  TopicRequests requests_;
  ClusterTopicFacts facts_;
  std::set<std::string> not_created_;
  std::vector<std::string> problems_;
};

}  // namespace

ClusterTopicLimits check_cluster(const Config& config, ClusterUse use, bool create,
                                 const Consumer& consumer, RetryPolicy& retry) {
  return ClusterChecks(config, use, consumer, retry).run(create);
}

}  // namespace neardup
