#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/checks.h"
#include "tests/unit/config/load_helper.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* kService = R"(storage: {path: /var/lib/neardup}
kafka:
  brokers: kafka:9092
  topics: [documents, more]
  group_id: neardup
  output_topic: flags
  dead_letter_topic: rejected
)";

TEST(Service, FilesOfTlsNeedEachOther) {
  const auto problems = [](const std::string& http) {
    return load_service(std::string(kService) + "http: {" + http + "}").problems;
  };
  EXPECT_THAT(problems("tls: {cert_file: c, key_file: k, client_ca_file: a}"), IsEmpty());
  EXPECT_THAT(problems("tls: {cert_file: c}"),
              ElementsAre(HasSubstr("`http.tls.cert_file` needs `http.tls.key_file`, too")));
  EXPECT_THAT(problems("tls: {key_file: k, client_ca_file: a}"),
              ElementsAre(HasSubstr("`http.tls.key_file` needs `http.tls.cert_file`, too"),
                          HasSubstr("`http.tls.client_ca_file` needs `http.tls.cert_file`, too")));
}

TEST(Service, EveryKeyArrivesInItsField) {
  const LoadResult result = load_service(std::string(kService) + R"(  instance: 2
  instances: 3
  guarantee: at_least_once
  start: latest
  idle_commit_seconds: 60
input: {format: raw}
output: {mode: annotate}
batch: {in_flight: 16, linger_ms: 0}
http: {listen: "[::1]:0", max_connections: 100, max_connections_per_client: 33, max_head: 2KiB,
       head_seconds: 7, idle_seconds: 9}
log: {format: text, level: debug}
shutdown: {drain_seconds: 3600}
)");
  ASSERT_THAT(result.problems, IsEmpty());
  const Config& config = result.config;
  EXPECT_EQ(config.kafka.brokers, "kafka:9092");
  EXPECT_THAT(config.kafka.topics, ElementsAre("documents", "more"));
  EXPECT_EQ(config.kafka.group_id, "neardup");
  EXPECT_EQ(config.kafka.output_topic, "flags");
  EXPECT_EQ(config.kafka.dead_letter_topic, "rejected");
  EXPECT_EQ(config.kafka.instance, 2u);
  EXPECT_EQ(config.kafka.instances, 3u);
  EXPECT_EQ(config.kafka.guarantee, Guarantee::kAtLeastOnce);
  EXPECT_EQ(config.kafka.start, StartAt::kLatest);
  EXPECT_EQ(config.kafka.idle_commit_seconds, 60u);
  EXPECT_EQ(config.input.format, InputFormat::kRaw);
  EXPECT_EQ(config.output.mode, OutputMode::kAnnotate);
  EXPECT_EQ(config.batch.in_flight, 16u);
  EXPECT_EQ(config.batch.linger_ms, 0u);
  EXPECT_EQ(config.http.listen, "[::1]:0");
  EXPECT_EQ(config.http.max_connections, 100u);
  EXPECT_EQ(config.http.max_connections_per_client, 33u);
  EXPECT_EQ(config.http.max_head, 2048u);
  EXPECT_EQ(config.http.head_seconds, 7u);
  EXPECT_EQ(config.http.idle_seconds, 9u);
  EXPECT_EQ(config.log.format, LogFormat::kText);
  EXPECT_EQ(config.log.level, LogLevel::kDebug);
  EXPECT_EQ(config.shutdown.drain_seconds, 3600u);
}

TEST(Service, RawRecordsHaveNoUrl) {
  EXPECT_THAT(
      load_service(std::string(kService) + "input: {format: raw}\noutput: {fields: [url]}\n")
          .problems,
      ElementsAre(HasSubstr("`output.fields: [url]` needs records with fields")));
}

TEST(Service, MissingKeysAreNamedAllAtOnce) {
  EXPECT_THAT(load_service("source: kafka").problems,
              ElementsAre("configuration: `kafka.brokers` is missing: the bootstrap brokers, such "
                          "as kafka-1:9092,kafka-2:9092",
                          "configuration: `kafka.topics` is missing: the topics to read documents "
                          "from",
                          StartsWith("configuration: `kafka.group_id` is missing: "),
                          StartsWith("configuration: `kafka.output_topic` is missing: "),
                          StartsWith("configuration: `kafka.dead_letter_topic` is missing: "),
                          "configuration: `storage.path` is missing: the directory of the state"));
  EXPECT_THAT(load_yaml("").problems, IsEmpty());
  EXPECT_THAT(load_yaml("kafka: {topics: [a]}").problems, IsEmpty());
  EXPECT_THAT(load_service(kService).problems, IsEmpty());
}

TEST(Service, WithoutKafkaDocumentsComeOverHttp) {
  const char* missing = "configuration: `storage.path` is missing: the directory of the state";
  EXPECT_THAT(load_service("").problems, ElementsAre(missing));
  EXPECT_THAT(load_service("kafka: {instance: 0}").problems, ElementsAre(missing));
  const std::string state = "storage: {path: /x}\n";
  EXPECT_THAT(load_service(state).problems, IsEmpty());
  EXPECT_FALSE(load_service(state).config.reads_kafka());
  EXPECT_TRUE(load_service(kService).config.reads_kafka());
  EXPECT_FALSE(load_service(std::string(kService) + "source: http\n").config.reads_kafka());
  EXPECT_THAT(load_service(state + "input: {format: raw}\noutput: {mode: filter}\n").problems,
              ElementsAre(HasSubstr("`input.format: raw` is for messages of Kafka"),
                          HasSubstr("`output.mode` is for topics of Kafka")));
}

TEST(Service, FlagsGoToAFileOrToATopic) {
  const std::string file = "output: {file: flags.jsonl}\n";
  EXPECT_THAT(load_service("storage: {path: /x}\n" + file).problems, IsEmpty());
  EXPECT_THAT(load_service(kService + file).problems,
              ElementsAre(HasSubstr("`output.file` is for documents over HTTP")));
}

TEST(Service, TheOrderTopicIsItsOwn) {
  const auto with_order = [](const std::string& topic) {
    return load_service(std::string(kService) + "  order_topic: " + topic + "\n");
  };
  EXPECT_EQ(with_order("order").config.kafka.order_topic, "order");
  EXPECT_THAT(with_order("order").problems, IsEmpty());
  EXPECT_THAT(
      with_order("more").problems,
      ElementsAre(AllOf(HasSubstr("`kafka.order_topic`"), HasSubstr("is one of `kafka.topics`"))));
  for (const char* other : {"flags", "rejected"}) {
    EXPECT_THAT(with_order(other).problems, ElementsAre(HasSubstr("is another output")));
  }
}

TEST(Service, AKeyThatIsEmptyIsMissingAndAWrongOneIsNot) {
  EXPECT_THAT(load_service(std::string(kService) + "  topics: []\n").problems,
              ElementsAre(HasSubstr("occurs twice")));
  EXPECT_THAT(load_service("storage: {path: /x}\nkafka:\n  brokers: \"\"\n  topics: []\n"
                           "  group_id: g\n  output_topic: a b\n  dead_letter_topic: d\n")
                  .problems,
              ElementsAre(StartsWith("config.yaml:6: `kafka.output_topic` must be a topic name"),
                          StartsWith("config.yaml:3: `kafka.brokers` is missing: "),
                          StartsWith("config.yaml:4: `kafka.topics` is missing: ")));
}

TEST(Service, KeepsItsState) {
  const std::string yaml = std::string(kService) + "storage.store: memory\n";
  EXPECT_THAT(load_service(yaml).problems,
              ElementsAre("config.yaml:8: `storage.store: memory` is not for serve; a service must "
                          "keep its state"));
  EXPECT_THAT(load_yaml(yaml).problems, IsEmpty());
}

TEST(Service, OnlyAServiceReadsRawRecords) {
  EXPECT_THAT(load_yaml("input:\n  format: raw\n").problems,
              ElementsAre("config.yaml:2: `input.format: raw` is for messages of Kafka; lines of a "
                          "file or body have no key"));
  EXPECT_THAT(load_service(std::string(kService) + "input: {format: raw}\n").problems, IsEmpty());
}

TEST(Service, FramesAreOfMessages) {
  const std::string framed = "input: {frame: confluent}\n";
  EXPECT_THAT(load_service("storage: {path: s}\n" + framed).problems,
              ElementsAre(HasSubstr("`input.frame` is for messages of Kafka")));
  EXPECT_THAT(load_service(std::string(kService) + framed).problems, IsEmpty());
  // The configuration of a service also serves commands that read files.
  EXPECT_THAT(load_yaml(framed).problems, IsEmpty());
}

TEST(Service, AFileWithASectionKafkaIsCheckedAsOneWhereThatIsAskedFor) {
  LoadRequest request;
  request.file = "config.yaml";
  request.service_if_kafka = true;
  EXPECT_THAT(load_config_text("threshold: 0.7", request).problems, IsEmpty());
  EXPECT_THAT(load_config_text(std::string(kService) + "input: {format: raw}\n", request).problems,
              IsEmpty());
  EXPECT_THAT(load_config_text("kafka: {group_id: g}\n", request).problems, ::testing::SizeIs(5));
  for (const char* yaml : {"kafka:\n", "kafka: {}\n", "kafka: {instance: 0}\n"}) {
    EXPECT_THAT(load_config_text(yaml, request).problems, IsEmpty()) << yaml;
  }
  EXPECT_THAT(load_config_text("input: {format: raw}\n", request).problems,
              ElementsAre(HasSubstr("is for messages of Kafka")));
}

TEST(Service, TheInstanceIsOneOfTheInstances) {
  EXPECT_THAT(load_sets({"kafka.instance=2", "kafka.instances=3"}).problems, IsEmpty());
  EXPECT_THAT(load_yaml("kafka:\n  instances: 3\n  instance: 3\n").problems,
              ElementsAre("config.yaml:3: `kafka.instance` is 3, but with `kafka.instances: 3` the "
                          "last one is 2"));
  EXPECT_THAT(load_sets({"kafka.instance=1"}).problems, ElementsAre(HasSubstr("last one is 0")));
  EXPECT_THAT(load_sets({"kafka.instance=1", "kafka.instances=0"}).problems,
              ElementsAre(HasSubstr("`kafka.instances` must be a whole number from 1 to 1024")));
}

TEST(Service, TopicsThatAreWrittenAreNotReadAndDifferent) {
  EXPECT_THAT(
      load_yaml("kafka:\n  topics: [a, b]\n  output_topic: b\n  dead_letter_topic: a\n").problems,
      ElementsAre("config.yaml:3: `kafka.output_topic` `b` is one of `kafka.topics`; the "
                  "service would read what it writes",
                  "config.yaml:4: `kafka.dead_letter_topic` `a` is one of `kafka.topics`; "
                  "the service would read what it writes"));
  EXPECT_THAT(load_yaml("kafka:\n  output_topic: b\n  dead_letter_topic: b\n").problems,
              ElementsAre("config.yaml:3: `kafka.dead_letter_topic` and `kafka.output_topic` are "
                          "both `b`; rejected messages need a separate topic"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
