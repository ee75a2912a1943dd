// Lists and maps: topics, and keys of librdkafka, from every place they can stand in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/fields.h"
#include "tests/unit/config/load_helper.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;

TEST(Lists, AreWrittenAsAListOrAsOneText) {
  for (const char* yaml :
       {"kafka: {topics: [news, blogs]}", "kafka:\n  topics:\n  - news\n  - blogs",
        "kafka: {topics: \"news,blogs\"}"}) {
    const LoadResult result = load_yaml(yaml);
    EXPECT_THAT(result.problems, IsEmpty()) << yaml;
    EXPECT_THAT(result.config.kafka.topics, ElementsAre("news", "blogs")) << yaml;
  }
  EXPECT_THAT(load_yaml("kafka: {topics: news}").config.kafka.topics, ElementsAre("news"));
  EXPECT_THAT(load_sets({"kafka.topics=a,b"}).config.kafka.topics, ElementsAre("a", "b"));
  EXPECT_THAT(load_environment({{"NEARDUP_KAFKA_TOPICS", "a,b"}}).config.kafka.topics,
              ElementsAre("a", "b"));
}

TEST(Lists, OfALaterPlaceReplaceTheWholeList) {
  LoadRequest request;
  request.file = "config.yaml";
  request.environment = {{"NEARDUP_KAFKA_TOPICS", "b"}};
  EXPECT_THAT(load_config_text("kafka: {topics: [a, c]}", request).config.kafka.topics,
              ElementsAre("b"));
}

TEST(Lists, WrongItemsAreProblemsOfTheirLines) {
  EXPECT_THAT(load_yaml("kafka:\n  topics:\n  - a\n  - \"\"\n  - b c\n  - ~\n  - [d]\n  - {e: f}\n"
                        "  - a\n")
                  .problems,
              ElementsAre("config.yaml:4: `kafka.topics` must be different topic names: 1 to 249 "
                          "letters, digits, dots, underscores or hyphens, not ``",
                          StartsWith("config.yaml:5: `kafka.topics` must be different"),
                          StartsWith("config.yaml:6: `kafka.topics` must be different"),
                          StartsWith("config.yaml:7: `kafka.topics` must be different"),
                          StartsWith("config.yaml:8: `kafka.topics` must be different"),
                          "config.yaml:9: `a` occurs twice in `kafka.topics`, first on line 3"));
  EXPECT_THAT(load_yaml("kafka: {topics: [[a]]}").problems,
              ElementsAre("config.yaml:1: `kafka.topics` must be different topic names: 1 to 249 "
                          "letters, digits, dots, underscores or hyphens, each a text"));
  EXPECT_THAT(load_sets({"kafka.topics=a,a"}).problems,
              ElementsAre("--set: `kafka.topics` must be different topic names: 1 to 249 letters, "
                          "digits, dots, underscores or hyphens, not `a,a`"));
  EXPECT_THAT(load_yaml("kafka:\n  topics:\n").problems,
              ElementsAre(StartsWith("config.yaml:2: `kafka.topics` must be different")));
}

TEST(Lists, OfWordsTakeTheseOnly) {
  EXPECT_THAT(load_yaml("output: {fields: [url]}").config.output.fields, ElementsAre("url"));
  EXPECT_THAT(load_sets({"output.fields=url"}).config.output.fields, ElementsAre("url"));
  EXPECT_THAT(load_sets({"output.fields="}).config.output.fields, IsEmpty());
  EXPECT_THAT(load_yaml("output:\n  fields:\n  - url\n  - urls\n").problems,
              ElementsAre("config.yaml:4: `output.fields` must be a list of these words: url, "
                          "text_bytes, not `urls`"));
}

TEST(Lists, ThatStandTwiceAreAProblemAndTheFirstCounts) {
  const LoadResult result = load_yaml("kafka:\n  topics: [a]\n  topics: [b, b]\n");
  EXPECT_THAT(result.problems,
              ElementsAre("config.yaml:3: key `kafka.topics` occurs twice, first on line 2"));
  EXPECT_THAT(result.config.kafka.topics, ElementsAre("a"));
}

TEST(Maps, TakeKeysWithDotsAsTheyStand) {
  const LoadResult result = load_yaml(R"(kafka:
  librdkafka:
    socket.nagle.disable: true
    client.id: "x, y"
    statistics.interval.ms: 0
  secrets: {client.rack: /run/secrets/x}
)");
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.config.kafka.librdkafka,
              ElementsAre(Pair("client.id", "x, y"), Pair("socket.nagle.disable", "true"),
                          Pair("statistics.interval.ms", "0")));
  EXPECT_THAT(result.config.kafka.secrets, ElementsAre(Pair("client.rack", "/run/secrets/x")));
}

TEST(Maps, WithoutEntriesAreEmpty) {
  for (const char* yaml : {"kafka: {librdkafka: {}}", "kafka: {librdkafka: }"}) {
    EXPECT_THAT(load_yaml(yaml).problems, IsEmpty()) << yaml;
    EXPECT_THAT(load_yaml(yaml).config.kafka.librdkafka, IsEmpty());
  }
}

TEST(Maps, EntriesOfLaterPlacesOverrideOneByOne) {
  LoadRequest request;
  request.file = "config.yaml";
  request.environment = {{"NEARDUP_KAFKA_LIBRDKAFKA_CLIENT_ID", "variable"},
                         {"NEARDUP_KAFKA_LIBRDKAFKA_SOCKET_TIMEOUT_MS", "2"},
                         {"NEARDUP_KAFKA_SECRETS_CLIENT_RACK", "/b"}};
  request.sets = {"kafka.librdkafka.socket.timeout.ms=3=", "kafka.secrets.topic.blacklist=/c"};
  const LoadResult result = load_config_text(
      "kafka:\n  secrets: {client.rack: /a}\n"
      "  librdkafka: {client.id: file, debug: all, socket.timeout.ms: 1}\n",
      request);
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.config.kafka.librdkafka,
              ElementsAre(Pair("client.id", "variable"), Pair("debug", "all"),
                          Pair("socket.timeout.ms", "3=")));
  EXPECT_THAT(result.config.kafka.secrets,
              ElementsAre(Pair("client.rack", "/b"), Pair("topic.blacklist", "/c")));
}

TEST(Maps, WrongEntriesAreProblemsOfTheirLines) {
  EXPECT_THAT(
      load_yaml(R"(kafka:
  librdkafka:
    debug: all
    socket: {nagle: {disable: true}}
    client.id:
    topic.blacklist: [a, b]
    a b: c
    "": c
    debug: none
  secrets:
    client.rack: ""
)")
          .problems,
      ElementsAre(
          "config.yaml:4: `kafka.librdkafka.socket` must be a text of at most 65536 bytes, not "
          "a section",
          "config.yaml:5: `kafka.librdkafka.client.id` must be a text of at most 65536 bytes; it "
          "has no value",
          "config.yaml:6: `kafka.librdkafka.topic.blacklist` must be a text of at most 65536 "
          "bytes, not a list",
          "config.yaml:7: `a b` in `kafka.librdkafka` is not a key: use letters, digits, dots, "
          "underscores or hyphens",
          "config.yaml:8: `` in `kafka.librdkafka` is not a key: use letters, digits, dots, "
          "underscores or hyphens",
          "config.yaml:9: key `kafka.librdkafka.debug` occurs twice, first on line 3",
          "config.yaml:11: `kafka.secrets.client.rack` must be a path"));
}

TEST(Maps, ThatStandTwiceAreAProblemAndAllTheirEntriesAreChecked) {
  EXPECT_THAT(
      load_yaml("kafka:\n  librdkafka: {debug: a}\n  librdkafka: {debug: b, x: [y]}\n").problems,
      ElementsAre("config.yaml:3: key `kafka.librdkafka` occurs twice, first on line 2",
                  "config.yaml:3: key `kafka.librdkafka.debug` occurs twice, first on line "
                  "2",
                  StartsWith("config.yaml:3: `kafka.librdkafka.x` must be a text")));
}

TEST(Maps, AreSetByTheirEntriesOnly) {
  for (const char* yaml : {"kafka: {librdkafka: x}", "kafka: {librdkafka: [x]}"}) {
    EXPECT_THAT(load_yaml(yaml).problems,
                ElementsAre("config.yaml:1: `kafka.librdkafka` is a section; set the keys in it"));
  }
  EXPECT_THAT(load_sets({"kafka.secrets=x"}).problems,
              ElementsAre("--set: `kafka.secrets` is a section; set the keys in it"));
  EXPECT_THAT(load_environment({{"NEARDUP_KAFKA_SECRETS", "x"}}).problems,
              ElementsAre("environment variable NEARDUP_KAFKA_SECRETS: `kafka.secrets` is a "
                          "section; set the keys in it"));
}

TEST(Maps, ProblemsNeverNameAValue) {
  const std::string secret = std::string("hunter2\0", 8);
  const std::string long_secret(70'000, 's');
  for (const std::string& value : {secret, long_secret}) {
    const std::string yaml = "kafka: {librdkafka: {sasl.password: [\"" + value + "\"]}}";
    for (const LoadResult& result :
         {load_sets({"kafka.librdkafka.sasl.password=" + value}), load_yaml(yaml),
          load_sets({"kafka.librdkafka.sasl.password: " + value}),
          load_sets({"kafka.librdkafka.sasl.password " + value}),
          load_sets({"kafka.secrets.sasl.password=" + value}),
          load_environment({{"NEARDUP_KAFKA_LIBRDKAFKA_SASL_PASSWORD", value}}),
          load_environment({{"NEARDUP_KAFKA_SECRETS_SASL_PASSWORD", value}})}) {
      ASSERT_FALSE(result.problems.empty());
      for (const std::string& problem : result.problems) {
        EXPECT_EQ(problem.find("hunter"), std::string::npos) << problem;
        EXPECT_EQ(problem.find("sssss"), std::string::npos) << problem;
      }
    }
  }
}

TEST(Maps, VariablesAreTakenInLowerCaseWithDots) {
  EXPECT_EQ(key_of_variable("NEARDUP_KAFKA_LIBRDKAFKA_SASL_PASSWORD"),
            "kafka.librdkafka.sasl.password");
  EXPECT_EQ(key_of_variable("NEARDUP_KAFKA_GROUP_ID"), "kafka.group_id");
  EXPECT_EQ(key_of_variable("NEARDUP_GPU_DEVICE"), "gpu.device");
  EXPECT_EQ(key_of_variable("NEARDUP_KAFKA"), "");
  EXPECT_THAT(load_environment({{"NEARDUP_KAFKA_SECRETS_", "x"}}).problems,
              ElementsAre(StartsWith("environment variable NEARDUP_KAFKA_SECRETS_: `` in")));
}

}  // namespace
}  // namespace neardup::TEST_FILE
