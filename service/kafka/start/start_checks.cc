#include "service/kafka/start/start_checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/client/client_conf.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/read/assignment.h"
#include "service/kafka/start/start_rules.h"
#include "service/kafka/start/topic_admin.h"

namespace neardup {
namespace {

// Partitions that have not answered by then are skipped: one can be without a leader for long.
constexpr std::chrono::seconds kForReplies{5};

class StartChecks {
 public:
  StartChecks(const KafkaOptions& options, OutputMode mode, Consumer& consumer, RetryPolicy& retry)
      : options_(options),
        mode_(mode),
        consumer_(consumer),
        retry_(retry),
        requests_(consumer, retry) {
    const KafkaConf conf = make_conf(options, ClientRole::kTransactional);
    for (const char* key : kProducerKeys) facts_.producer[key] = conf_value(conf.get(), key);
  }

  MessageLimits run(bool create_topics) {
    look_up(all_topics(options_));
    if (create_topics) create_missing();
    for (const std::string& topic : missing_topics(options_, facts_)) {
      if (!not_created_.contains(topic)) report(missing_topic(topic));
    }
    if (auto problem = no_partition(options_, facts_)) report(*std::move(problem));
    describe();
    check_settings();
    check_outputs();
    check_reading();
    check_group();
    if (!problems_.empty()) throw Failure(Exit::kConfig, to_text(problems_));
    return message_limits(options_, facts_);
  }

 private:
  void report(std::string problem) {
    if (std::ranges::find(problems_, problem) == problems_.end()) {
      problems_.push_back(std::move(problem));
    }
  }

  void warn(const std::string& warning) {
    retry_.log().warning("start check", {{"detail", warning}});
  }

  void report_denied(std::string_view operation, std::string_view resource) {
    report(missing_permission(options_, operation, resource));
  }

  void look_up(const std::vector<std::string>& topics) {
    for (const std::string& topic : topics) {
      requests_.until_done("looking up the topics", [&] { look_up_one(topic); });
    }
  }

  void look_up_one(const std::string& topic) {
    try {
      facts_.partitions[topic] = consumer_.partition_counts({topic}).at(topic);
    } catch (const KafkaError& error) {
      if (error.error_class() == ErrorClass::kRetriable) throw;
      if (error.code() == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED) {
        const bool input = std::ranges::count(options_.topics, topic) > 0;
        return report_denied(input ? "READ" : "WRITE", "topic " + topic);
      }
      if (error.error_class() == ErrorClass::kDenied) throw;
      report(error.what());
    }
  }

  void create_missing() {
    create(new_inputs(options_, facts_));
    describe();
    create(new_outputs(options_, mode_, facts_));
  }

  void create(const std::vector<NewTopic>& topics) {
    const auto failed = requests_.create(topics, [this](const std::string& topic) {
      look_up_one(topic);
      return facts_.partitions[topic];
    });
    for (const NotCreated& one : failed) {
      not_created_.insert(one.topic);
      report(to_text(one, options_));
    }
  }

  void describe() {
    Described described = requests_.describe(facts_.partitions);
    facts_.topics = std::move(described.topics);
    facts_.broker = std::move(described.broker);
  }

  void check_settings() {
    StartFindings findings = neardup::check_settings(options_, mode_, facts_);
    for (std::string& problem : findings.problems) report(std::move(problem));
    if (!facts_.broker) retry_.log().debug("transaction.timeout.ms not checked");
    for (const std::string& warning : findings.warnings) warn(warning);
  }

  void check_outputs() {
    const auto order = order_record(options_, mode_);
    for (const auto& [topic, permitted] : requests_.permitted(facts_.partitions)) {
      const bool input = std::ranges::count(options_.topics, topic) > 0;
      if (!input && !permitted.write) report_denied("WRITE", "topic " + topic);
      if (topic == order && !permitted.read && assigned().size() > 1) {
        warn(unreadable_order(options_, topic));
      }
    }
  }

  // Reads at the end of one partition of each topic: only a fetch shows a missing READ permission.
  void check_reading() {
    Positions ends;
    std::set<std::string> open;
    for (const TopicPartition& partition : assigned()) {
      if (open.insert(partition.topic).second) ends.push_back({partition, RD_KAFKA_OFFSET_TAIL(1)});
    }
    const auto reader = consumer_.read(ends);
    const auto deadline = std::chrono::steady_clock::now() + kForReplies;
    while (!open.empty() && std::chrono::steady_clock::now() < deadline) {
      if (retry_.stop()) throw Stopped();
      const KafkaMessage message = reader->poll(kPollMs);
      if (!message || message->rkt == nullptr) continue;
      const std::string topic = rd_kafka_topic_name(message->rkt);
      if (message->err == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED) {
        report_denied("READ", "topic " + topic);
      }
      open.erase(topic);
    }
  }

  void check_group() {
    bool allowed = true;
    requests_.until_done("looking up the group", [&] { allowed = consumer_.may_see_group(); });
    if (!allowed) report_denied("READ", "group " + options_.group_id);
  }

  std::vector<TopicPartition> assigned() const {
    return Assignment{options_.topics, options_.instance, options_.instances}.partitions(
        facts_.partitions);
  }

  const KafkaOptions& options_;
  const OutputMode mode_;
  Consumer& consumer_;
  RetryPolicy& retry_;
  TopicRequests requests_;
  StartFacts facts_;
  std::set<std::string> not_created_;
  std::vector<std::string> problems_;
};

}  // namespace

MessageLimits check_start(const KafkaOptions& options, OutputMode mode, bool create_topics,
                          Consumer& consumer, RetryPolicy& retry) {
  return StartChecks(options, mode, consumer, retry).run(create_topics);
}

}  // namespace neardup
