#include "service/kafka/cluster/cluster_checks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "pipeline/core/failure.h"
#include "service/kafka/cluster/cluster_topics.h"
#include "service/kafka/start/topic_admin.h"

namespace neardup {
namespace {

class ClusterChecks {
 public:
  ClusterChecks(const Config& config, const Consumer& consumer, RetryPolicy& retry)
      : config_(config), consumer_(consumer), retry_(retry) {}

  ClusterTopicLimits run(bool create) {
    for (const std::string& topic : cluster_topics(config_.cluster)) {
      until_done("looking up the topics", [&] { look_up(topic); });
    }
    if (create) create_missing();
    name_missing();
    describe();
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
  // As RetryPolicy::until_done. librdkafka reports only in polls why brokers deny the connection.
  void until_done(std::string_view doing, const std::function<void()>& attempt) {
    retry_.until_done(doing, [&] {
      try {
        attempt();
      } catch (const KafkaError&) {
        consumer_.serve();
        throw;
      }
    });
  }

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
    const std::vector<NewTopic> topics = new_cluster_topics(config_, facts_);
    if (topics.empty()) return;
    std::vector<NotCreated> failed;
    until_done("creating topics", [&] { failed = create_topics(consumer_.handle(), topics); });
    for (const NotCreated& one : failed) report_not_created(one);
    for (const NewTopic& topic : topics) {
      if (not_created_.contains(topic.name)) continue;
      await(topic.name);
      retry_.log().info("topic created",
                        {{"topic", topic.name}, {"partitions", facts_.partitions[topic.name]}});
    }
  }

  void report_not_created(const NotCreated& one) {
    not_created_.insert(one.topic);
    if (classify(one.code) == ErrorClass::kDenied) return report_denied("CREATE", one.topic);
    problems_.push_back(fmt::format("topic {} cannot be created: {}", one.topic, one.why));
  }

  // Waits until the brokers know a new topic, which they learn one after another.
  void await(const std::string& topic) {
    until_done("waiting for the new topics", [&] {
      look_up(topic);
      if (facts_.partitions[topic] == 0) {
        check(RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, fmt::format("looking up topic {}", topic));
      }
    });
  }

  void name_missing() {
    for (const auto& [topic, partitions] : facts_.partitions) {
      if (partitions > 0 || not_created_.contains(topic)) continue;
      problems_.push_back(
          fmt::format("topic {} does not exist: `neardup cluster init` makes it", topic));
    }
  }

  void describe() {
    std::vector<std::string> topics;
    for (const auto& [topic, partitions] : facts_.partitions) {
      if (partitions > 0) topics.push_back(topic);
    }
    try {
      until_done("reading the settings of topics",
                 [&] { facts_.topics = describe_settings(consumer_.handle(), topics).topics; });
    } catch (const KafkaError& error) {  // brokers that do not support the request
      retry_.log().warning("settings not checked", {{"reason", error.what()}});
    }
  }

  const Config& config_;
  const Consumer& consumer_;
  RetryPolicy& retry_;
  ClusterTopicFacts facts_;
  std::set<std::string> not_created_;
  std::vector<std::string> problems_;
};

}  // namespace

ClusterTopicLimits check_cluster(const Config& config, bool create, const Consumer& consumer,
                                 RetryPolicy& retry) {
  return ClusterChecks(config, consumer, retry).run(create);
}

}  // namespace neardup
