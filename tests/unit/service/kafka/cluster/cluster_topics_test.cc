#include "service/kafka/cluster/cluster_topics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Config config() {
  Config config;
  config.cluster.name = "c";
  return config;
}

Config exact() {
  Config exact = config();
  exact.decision.verify = VerifyMode::kExact;
  return exact;
}

// Everything is there and set well.
ClusterTopicFacts good() {
  ClusterTopicFacts facts;
  facts.partitions = {{"c.log", 1}, {"c.answers", 64}, {"c.decisions", 1}};
  for (const auto& [topic, partitions] : facts.partitions) {
    facts.replicas[topic] = 3;
    facts.topics[topic] = {{"cleanup.policy", "delete"},
                           {"compression.type", "producer"},
                           {"max.message.bytes", "1048588"},
                           {"min.insync.replicas", "2"},
                           {"retention.bytes", "-1"},
                           {"retention.ms", "604800000"},
                           {"unclean.leader.election.enable", "false"}};
  }
  return facts;
}

ClusterTopicFacts with_setting(const std::string& topic, const std::string& key,
                               const std::string& value) {
  ClusterTopicFacts facts = good();
  facts.topics[topic][key] = value;
  return facts;
}

std::vector<std::string> problems(const ClusterTopicFacts& facts) {
  return check_cluster_topics(config(), facts).problems;
}

std::vector<std::string> warnings(const ClusterTopicFacts& facts) {
  const StartFindings findings = check_cluster_topics(config(), facts);
  EXPECT_THAT(findings.problems, IsEmpty());
  return findings.warnings;
}

TEST(ClusterTopics, good_settings_give_nothing_to_say) { EXPECT_THAT(warnings(good()), IsEmpty()); }

TEST(ClusterTopics, new_ones_meet_the_rules_of_the_old) {
  for (const Config& config : {config(), exact()}) {
    ClusterTopicFacts facts;
    facts.partitions = {{"c.log", 0}, {"c.answers", 0}, {"c.decisions", 0}};
    const std::vector<NewTopic> topics = new_cluster_topics(config, facts);
    ASSERT_EQ(topics.size(), 3u);
    for (const NewTopic& topic : topics) {
      facts.partitions[topic.name] = topic.partitions;
      facts.topics[topic.name] = topic.settings;
    }
    EXPECT_EQ(facts.topics["c.log"]["retention.ms"], "604800000");
    EXPECT_EQ(facts.topics["c.answers"]["retention.ms"], "3600000");
    EXPECT_EQ(facts.topics["c.decisions"]["retention.ms"], "-1");
    const StartFindings findings = check_cluster_topics(config, facts);
    EXPECT_THAT(findings.problems, IsEmpty());
    EXPECT_THAT(findings.warnings, IsEmpty());
    EXPECT_THAT(new_cluster_topics(config, facts), IsEmpty());
  }
}

TEST(ClusterTopics, one_that_we_may_not_look_at_is_neither_made_nor_judged) {
  ClusterTopicFacts facts;
  facts.partitions = {{"c.answers", 0}, {"c.decisions", 1}};
  const std::vector<NewTopic> topics = new_cluster_topics(config(), facts);
  ASSERT_EQ(topics.size(), 1u);
  EXPECT_EQ(topics[0].name, "c.answers");
  EXPECT_EQ(topics[0].partitions, 64);
  EXPECT_THAT(warnings(facts), ElementsAre(StartsWith("topic c.decisions: settings not checked")));
}

TEST(ClusterTopics, a_second_partition_would_be_a_second_order) {
  ClusterTopicFacts facts = good();
  facts.partitions["c.log"] = 6;
  facts.partitions["c.decisions"] = 2;
  EXPECT_THAT(problems(facts),
              ElementsAre(StartsWith("topic c.log has 6 partitions, and must have 1"),
                          StartsWith("topic c.decisions has 2 partitions, and must have 1")));
}

TEST(ClusterTopics, each_shard_needs_a_partition_for_its_answers) {
  ClusterTopicFacts facts = good();
  facts.partitions["c.answers"] = 6;
  EXPECT_THAT(problems(facts), ElementsAre(StartsWith("topic c.answers has 6 partitions")));
  facts.partitions["c.answers"] = 100;
  EXPECT_THAT(problems(facts), IsEmpty());
}

TEST(ClusterTopics, what_loses_messages_is_a_problem_in_each_topic) {
  for (const std::string topic : {"c.log", "c.answers", "c.decisions"}) {
    EXPECT_THAT(problems(with_setting(topic, "cleanup.policy", "delete,compact")),
                ElementsAre(AllOf(StartsWith("topic " + topic + " has cleanup.policy="),
                                  HasSubstr("set it to delete"))));
    EXPECT_THAT(problems(with_setting(topic, "unclean.leader.election.enable", "true")),
                ElementsAre(StartsWith("topic " + topic + " has unclean.leader.election")));
  }
}

TEST(ClusterTopics, the_log_takes_whole_messages) {
  EXPECT_THAT(problems(with_setting("c.log", "max.message.bytes", "999999")),
              ElementsAre(HasSubstr("set it to 1000000 at least")));
  EXPECT_THAT(warnings(with_setting("c.log", "max.message.bytes", "1000000")), IsEmpty());
  EXPECT_EQ(log_message_bytes(config().cluster, good()), 1'048'588u);
  EXPECT_EQ(log_message_bytes(config().cluster, {}), 1'000'000u);
}

TEST(ClusterTopics, texts_that_do_not_fit_are_worth_a_warning) {
  const StartFindings findings = check_cluster_topics(exact(), good());
  EXPECT_THAT(findings.problems, IsEmpty());
  EXPECT_THAT(findings.warnings, ElementsAre(HasSubstr("documents that do not fit are rejected")));
  const std::string wanted = std::to_string(wanted_log_bytes(exact()));
  EXPECT_THAT(
      check_cluster_topics(exact(), with_setting("c.log", "max.message.bytes", wanted)).warnings,
      IsEmpty());
}

TEST(ClusterTopics, sketchers_wait_before_the_log_loses_records) {
  const std::uint64_t lag = config().cluster.log.max_lag;
  EXPECT_THAT(problems(with_setting("c.log", "retention.bytes", std::to_string(2 * lag))),
              IsEmpty());
  EXPECT_THAT(problems(with_setting("c.log", "retention.bytes", std::to_string(2 * lag - 1))),
              ElementsAre(HasSubstr("less than twice cluster.log.max_lag")));
}

TEST(ClusterTopics, decisions_are_kept_as_long_as_the_log) {
  EXPECT_THAT(warnings(with_setting("c.decisions", "retention.ms", "604799999")),
              ElementsAre(HasSubstr("shorter than that of c.log (604800000)")));
  EXPECT_THAT(warnings(with_setting("c.decisions", "retention.ms", "-1")), IsEmpty());
  EXPECT_THAT(warnings(with_setting("c.log", "retention.ms", "-1")),
              ElementsAre(HasSubstr("shorter than that of c.log (-1)")));
}

TEST(ClusterTopics, replicas_and_compression_are_worth_a_warning) {
  EXPECT_THAT(warnings(with_setting("c.log", "min.insync.replicas", "1")),
              ElementsAre(StartsWith("topic c.log has min.insync.replicas=1")));
  EXPECT_THAT(warnings(with_setting("c.log", "compression.type", "zstd")),
              ElementsAre(StartsWith("topic c.log has compression.type=zstd")));
  ClusterTopicFacts facts = good();
  facts.replicas["c.decisions"] = 1;
  facts.topics["c.decisions"]["min.insync.replicas"] = "1";
  EXPECT_THAT(warnings(facts), ElementsAre(StartsWith("topic c.decisions has 1 of 3 replicas")));
}

}  // namespace
}  // namespace neardup::TEST_FILE
