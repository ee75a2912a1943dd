// Reading partitions from librdkafka's mock broker: errors that a real one gives rarely.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/client/client_conf.h"
#include "service/kafka/read/kafka_source.h"
#include "service/kafka/read/stall_detector.h"
#include "service/kafka/read/topic_scan.h"
#include "tests/unit/service/kafka/mock_broker.h"
#include "tests/unit/service/kafka/no_probe.h"

namespace neardup::TEST_FILE {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr seconds kLongest{30};  // for all of one test

class ReadingPartitions : public testing::Test {
 protected:
  ReadingPartitions()
      : log_(
            {},
            [this](std::string_view line) {
              const std::lock_guard lock(mutex_);
              lines_ += line;
            },
            std::chrono::system_clock::now) {
    broker_.create_topic("docs", 2);
    options_.brokers = broker_.bootstrap();
    options_.group_id = "group";
    producer_ = make_client(options_, ClientRole::kIdempotent, events_);
    consumer_ = std::make_unique<Consumer>(options_, events_);
  }

  void produce(std::int32_t partition, int count) {
    for (int i = 0; i < count; ++i) {
      const auto error = rd_kafka_producev(producer_.get(), RD_KAFKA_V_TOPIC("docs"),
                                           RD_KAFKA_V_PARTITION(partition),
                                           RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                                           RD_KAFKA_V_VALUE(value_, sizeof value_), RD_KAFKA_V_END);
      ASSERT_EQ(error, RD_KAFKA_RESP_ERR_NO_ERROR);
    }
    ASSERT_EQ(rd_kafka_flush(producer_.get(), 10'000), RD_KAFKA_RESP_ERR_NO_ERROR);
  }

  KafkaSource source(Positions positions = {{{"docs", 0}, 0}, {{"docs", 1}, 0}}) {
    KafkaSourceOptions options;
    options.assignment = {{"docs"}, 0, 1};
    options.refresh = std::chrono::hours(1);
    return {{*consumer_, retry_, watch_, probe_}, std::move(positions), options};
  }

  // So many records more, or what comes of them before the time is over.
  std::size_t read(KafkaSource& source, std::size_t count) {
    std::size_t got = 0;
    RawChunk chunk;
    while (got < count && source.read(count - got, 1 << 20, chunk)) {
      got += chunk.records.size();
      if (chunk.ends_batch) source.positions();
    }
    return got;
  }

  // The offsets that a scan of the first partition gives.
  std::vector<std::int64_t> scan(std::int64_t from, std::int64_t to) {
    TopicScan scan(consumer_->read({{{"docs", 0}, from}}), log_);
    std::vector<std::int64_t> offsets;
    while (const KafkaMessage message = scan.next_below(to, retry_)) {
      offsets.push_back(message->offset);
    }
    return offsets;
  }

  std::string lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

  char value_[2] = {'{', '}'};
  std::mutex mutex_;
  std::string lines_;  // guarded by mutex_
  Log log_;
  ClientEvents events_{log_};
  const std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + kLongest;
  RetryPolicy retry_{[this] { return std::chrono::steady_clock::now() > end_; }, events_, log_};
  StageWatch watch_{seconds(300), end_process(log_)};
  NoProbe probe_;
  MockBroker broker_;
  KafkaOptions options_;
  KafkaHandle producer_;
  std::unique_ptr<Consumer> consumer_;
};

TEST_F(ReadingPartitions, AnOffsetRefusedWithoutCauseIsReadAfterAll) {
  produce(0, 5);
  produce(1, 5);
  KafkaSource source = this->source();
  ASSERT_EQ(read(source, 10), 10);
  // One may be lost: librdkafka tells of the first fetch at the end of a partition as its end.
  broker_.fail(kFetch,
               {RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE, RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE});
  // A fetch that is under way may bring some before the error comes.
  int count = 5;
  for (; count < 200 && lines().find("offset refused without cause") == std::string::npos;
       ++count) {
    produce(0, 1);
    produce(1, 1);
    ASSERT_EQ(read(source, 2), 2) << lines();
  }
  EXPECT_THAT(lines(), HasSubstr("offset refused without cause"));
  EXPECT_EQ(source.positions().front().second, fmt::format("docs 0 {0}\ndocs 1 {0}\n", count));
}

TEST_F(ReadingPartitions, RecordsBeforeAnErrorThatStaysAreReadAllTheSame) {
  produce(0, 5);
  KafkaSource source = this->source();
  broker_.fail(kFetch, {RD_KAFKA_RESP_ERR_NO_ERROR, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED,
                        RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED});
  RawChunk chunk;
  std::size_t got = 0;
  EXPECT_THROW(
      while (source.read(100, 1 << 20, chunk)) {
        got += chunk.records.size();
        if (chunk.ends_batch) source.positions();
      },
      Failure);
  EXPECT_EQ(got, 5);
  EXPECT_EQ(source.positions().front().second, "docs 0 5\ndocs 1 0\n");
}

TEST_F(ReadingPartitions, StallsAreFoundByTheEndsOfPartitions) {
  produce(0, 5);
  StallDetector detector;
  const Positions waits{{{"docs", 0}, 2}, {{"docs", 1}, 0}};
  EXPECT_EQ(detector.look(waits, *consumer_, log_), std::nullopt);
  EXPECT_EQ(lines(), "");  // it may have moved since
  EXPECT_EQ(detector.look(waits, *consumer_, log_), std::nullopt);
  EXPECT_THAT(lines(), HasSubstr("\"partition\":\"docs[0]\",\"offset\":2,\"end\":5"));

  const Positions behind{{{"docs", 0}, 5}, {{"docs", 1}, 1}};
  EXPECT_EQ(detector.look(behind, *consumer_, log_), std::nullopt);
  EXPECT_EQ(detector.look(behind, *consumer_, log_), 1);
}

TEST_F(ReadingPartitions, AScanGoesUpToItsEndOrThatOfThePartition) {
  produce(0, 5);
  EXPECT_THAT(scan(1, 3), ElementsAre(1, 2));
  EXPECT_THAT(scan(3, 100), ElementsAre(3, 4));
}

TEST_F(ReadingPartitions, AScanDoesNotGoOnBehindMessagesThatAreGone) {
  produce(0, 5);
  broker_.fail(kFetch,
               {RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE, RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE});
  try {
    scan(3, 5);
    FAIL() << "nothing was lost";
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("topic docs was deleted, or lost messages"));
  }
}

TEST_F(ReadingPartitions, AScanEndsWhereItIsDenied) {
  produce(0, 5);
  broker_.fail(kFetch, {RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED,
                        RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED});
  try {
    scan(0, 5);
    FAIL() << "nothing was denied";
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("reading docs[0] was refused"));
  }
}

TEST_F(ReadingPartitions, OffsetsOfAPartitionWithoutALeaderAreAskedAgain) {
  produce(1, 5);
  const TopicPartition partition{"docs", 1};
  broker_.set_leader("docs", 1, -1);
  try {
    consumer_->watermarks(partition);
    FAIL() << "there is no leader";
  } catch (const KafkaError& error) {
    EXPECT_EQ(error.error_class(), ErrorClass::kRetriable) << error.what();
  }
  broker_.set_leader("docs", 1, 1);
  EXPECT_EQ(consumer_->watermarks(partition).high, 5);
}

TEST_F(ReadingPartitions, AFailedLookForPartitionsIsRepeatedSoon) {
  produce(1, 5);
  broker_.set_leader("docs", 1, -1);
  KafkaSource source = this->source({{{"docs", 0}, 0}});
  const std::jthread leader([this] {
    while (lines().find("looking at topics") == std::string::npos && !retry_.stop()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    broker_.set_leader("docs", 1, 1);
  });
  EXPECT_EQ(read(source, 5), 5) << lines();
  EXPECT_THAT(lines(), HasSubstr("looking at topics"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
