#include "config/secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "tests/unit/config/load_helper.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class Secrets : public ::testing::Test {
 protected:
  ~Secrets() override { std::remove(path_.c_str()); }

  LoadResult load(const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
    return load_path(path_);
  }

  LoadResult load_path(const std::string& path, bool service = true) {
    LoadRequest request;
    request.service = service;
    request.sets = {"storage.path=/x",
                    "kafka.brokers=b",
                    "kafka.topics=t",
                    "kafka.group_id=g",
                    "kafka.output_topic=o",
                    "kafka.dead_letter_topic=d",
                    "kafka.librdkafka.security.protocol=SASL_SSL",
                    "kafka.librdkafka.sasl.mechanism=PLAIN",
                    "kafka.secrets.sasl.password=" + path};
    return load_config(request);
  }

  std::string path_ = ::testing::TempDir() + "neardup_secret_" + std::to_string(getpid());
};

TEST_F(Secrets, AreReadWithoutTheNewlineAtTheirEnd) {
  for (const auto& [content, value] : {std::pair("hunter2", "hunter2"),
                                       {"hunter2\n", "hunter2"},
                                       {"hunter2\r\n", "hunter2"},
                                       {" a\nb \n\n", " a\nb \n"}}) {
    const LoadResult result = load(content);
    EXPECT_THAT(result.problems, IsEmpty());
    EXPECT_THAT(result.config.kafka.secret_values, ElementsAre(Pair("sasl.password", value)));
  }
}

TEST_F(Secrets, OfUpTo64KiBAreRead) {
  EXPECT_EQ(load(std::string(65'536, 's')).config.kafka.secret_values.at("sasl.password").size(),
            65'536u);
  EXPECT_THAT(load(std::string(65'537, 's')).problems,
              ElementsAre("--set: the file of `kafka.secrets.sasl.password` is larger than 64 "
                          "KiB"));
}

TEST_F(Secrets, ThatCannotBeUsedAreNamedByTheirKeyOnly) {
  EXPECT_THAT(load("\n").problems,
              ElementsAre("--set: the file of `kafka.secrets.sasl.password` is empty"));
  EXPECT_THAT(load(std::string("hunter2\0", 8)).problems,
              ElementsAre("--set: the file of `kafka.secrets.sasl.password` holds a zero byte"));
  EXPECT_THAT(load_path("hunter2").problems,
              ElementsAre("--set: the file of `kafka.secrets.sasl.password` cannot be read: No "
                          "such file or directory"));
}

TEST_F(Secrets, AreNotReadForOtherCommands) {
  const LoadResult result = load_path("/nonexistent/secret", false);
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.config.kafka.secret_values, IsEmpty());
}

class Token : public Secrets {
 protected:
  LoadResult load(const std::string& content, bool service = true) {
    std::ofstream(path_, std::ios::binary) << content;
    LoadRequest request;
    request.service = service;
    request.sets = {"storage.path=/x",         "kafka.brokers=b",      "kafka.topics=t",
                    "kafka.group_id=g",        "kafka.output_topic=o", "kafka.dead_letter_topic=d",
                    "http.token_file=" + path_};
    return load_config(request);
  }
};

TEST_F(Token, IsReadWithoutTheNewlineAtItsEnd) {
  const LoadResult result = load("0123456789abcdef\n");
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.config.http.tokens, ElementsAre("0123456789abcdef"));
  EXPECT_THAT(load("0123456789abcdef\r\nfedcba9876543210\n").config.http.tokens,
              ElementsAre("0123456789abcdef", "fedcba9876543210"));
}

TEST_F(Token, OneThatIsShortOrCannotStandInAHeaderIsRefused) {
  for (const auto& [content, why] : {std::pair("", "is empty"),
                                     {"0123456789abcde\n", "fewer than 16 characters"},
                                     {"0123456789 abcdef", "other characters"},
                                     {"0123456789abcdef\n\n0123456789abcdef", "fewer than 16"},
                                     {"0123456789abcd\xc3\xa9", "other characters"}}) {
    EXPECT_THAT(load(content).problems, ElementsAre(::testing::HasSubstr(why))) << content;
  }
}

TEST_F(Token, IsNotReadByCommandsOverFiles) {
  EXPECT_THAT(load("0123456789abcdef", false).config.http.tokens, IsEmpty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
