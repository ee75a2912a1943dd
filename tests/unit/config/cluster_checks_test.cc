#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/config/load_helper.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string in_cluster(std::string_view role, std::string_view more = {}) {
  return fmt::format(R"(storage: {{path: /var/lib/neardup}}
cluster: {{name: crawl, role: {}}}
kafka:
  brokers: kafka:9092
  topics: [documents]
  group_id: sketchers
  output_topic: flags
  dead_letter_topic: rejected
{})",
                     role, more);
}

std::vector<std::string> missing(std::string_view role) {
  std::vector<std::string> keys;
  for (const std::string& problem :
       load_service(fmt::format("cluster: {{role: {}}}", role)).problems) {
    const std::size_t open = problem.find('`') + 1;
    keys.push_back(problem.substr(open, problem.find('`', open) - open));
    EXPECT_THAT(problem, HasSubstr("` is missing: "));
  }
  return keys;
}

TEST(ClusterChecks, EachRoleNeedsOnlyWhatItUses) {
  EXPECT_THAT(missing("sketcher"), ElementsAre("kafka.brokers", "kafka.topics", "kafka.group_id",
                                               "kafka.dead_letter_topic", "cluster.name"));
  EXPECT_THAT(missing("decider"),
              ElementsAre("kafka.brokers", "kafka.output_topic", "storage.path", "cluster.name"));
  EXPECT_THAT(missing("shard"), ElementsAre("kafka.brokers", "storage.path", "cluster.name"));
  EXPECT_THAT(missing("resolver"),
              ElementsAre("kafka.brokers", "kafka.output_topic", "cluster.name"));
}

TEST(ClusterChecks, OneFileDoesForAllRoles) {
  for (const char* role : {"sketcher", "decider", "shard", "resolver"}) {
    const LoadResult result = load_service(in_cluster(role));
    EXPECT_THAT(result.problems, IsEmpty()) << role;
    EXPECT_THAT(result.warnings, IsEmpty()) << role;
    EXPECT_TRUE(result.config.reads_kafka());
  }
}

TEST(ClusterChecks, OnlyWhoKeepsAStateNeedsALastingOne) {
  const std::string memory = "storage: {store: memory}\n";
  const std::string sketcher =
      memory +
      "cluster: {name: c, role: sketcher}\n"
      "kafka: {brokers: b, topics: [t], group_id: g, dead_letter_topic: d}\n";
  EXPECT_THAT(load_service(sketcher).problems, IsEmpty());
  const std::string decider =
      "storage: {store: memory, path: /x}\n"
      "cluster: {name: c, role: decider}\nkafka: {brokers: b, output_topic: f}\n";
  EXPECT_THAT(load_service(decider).problems,
              ElementsAre(HasSubstr("`storage.store: memory` is not for serve")));
}

TEST(ClusterChecks, OrderFlagsAndOffsetsAreTheClusters) {
  for (const char* role : {"sketcher", "decider", "shard", "resolver"}) {
    const auto problems =
        load_service(in_cluster(role,
                                "  instances: 2\n  order_topic: order\n  guarantee: at_least_once\n"
                                "source: http\noutput: {mode: filter}\n"))
            .problems;
    const std::string of_role = fmt::format("` is not for `cluster.role: {}`: ", role);
    EXPECT_THAT(problems,
                ElementsAre(HasSubstr("`source" + of_role), HasSubstr("`output.mode" + of_role),
                            HasSubstr("`kafka.instances" + of_role),
                            HasSubstr("`kafka.order_topic" + of_role),
                            HasSubstr("`kafka.guarantee" + of_role)));
  }
}

TEST(ClusterChecks, AProcessOfAClusterHasARole) {
  EXPECT_THAT(load_service(in_cluster("all")).problems,
              ElementsAre(StartsWith("config.yaml:2: `cluster.name` is set, and with "
                                     "`cluster.role: all` the process would decide on its own")));
  // Who only reads the settings of the rule may have the same file.
  EXPECT_THAT(load_yaml(in_cluster("all")).problems, IsEmpty());
}

TEST(ClusterChecks, TopicsOfTheClusterAreNeitherInputsNorOutputs) {
  const auto problems = load_service(R"(storage: {path: /x}
cluster: {name: crawl, role: decider}
kafka:
  brokers: kafka:9092
  topics: [documents, crawl.log]
  output_topic: crawl.decisions
  dead_letter_topic: crawl.answers
)")
                            .problems;
  EXPECT_THAT(problems, ElementsAre(HasSubstr("`crawl.log` in `kafka.topics` is a topic of the "
                                              "cluster itself"),
                                    HasSubstr("`crawl.decisions` in `kafka.output_topic`"),
                                    HasSubstr("`crawl.answers` in `kafka.dead_letter_topic`")));
}

TEST(ClusterChecks, TheCommandNeedsBrokersAndAName) {
  LoadRequest request;
  request.file = "config.yaml";
  request.cluster_command = true;
  EXPECT_THAT(
      load_config_text("", request).problems,
      ElementsAre(HasSubstr("`kafka.brokers` is missing"), HasSubstr("`cluster.name` is missing")));
  EXPECT_THAT(load_config_text("kafka: {brokers: b}\ncluster: {name: c}", request).problems,
              IsEmpty());
  EXPECT_THAT(load_config_text("kafka: {brokers: b, topics: [c.log]}\ncluster: {name: c}", request)
                  .problems,
              ElementsAre(HasSubstr("a topic of the cluster itself")));
  EXPECT_THAT(load_config_text("kafka: {brokers: b, secrets: {ssl.key.password: /nowhere},\n"
                               "        librdkafka: {security.protocol: ssl}}\n"
                               "cluster: {name: c}",
                               request)
                  .problems,
              ElementsAre(HasSubstr("`kafka.secrets.ssl.key.password` cannot be read")));
}

}  // namespace
}  // namespace neardup::TEST_FILE
