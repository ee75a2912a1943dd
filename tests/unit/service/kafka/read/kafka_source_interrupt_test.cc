// A source that is interrupted while it asks brokers that do not answer.
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>
// After rdkafka.h.
#include <librdkafka/rdkafka_mock.h>

#include <chrono>
#include <future>
#include <vector>

#include "service/kafka/read/kafka_source.h"
#include "tests/unit/service/kafka/no_probe.h"

namespace neardup::TEST_FILE {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr std::int16_t kFetch = 1;  // numbers of Kafka's protocol
constexpr std::int16_t kListOffsets = 2;
constexpr seconds kPatience{60};

using MockCluster =
    std::unique_ptr<rd_kafka_mock_cluster_t, Destroy<rd_kafka_mock_cluster_destroy>>;

rd_kafka_conf_t* quiet() {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  rd_kafka_conf_set(conf, "log_level", "0", nullptr, 0);
  return conf;  // the client takes it
}

class InterruptedSource : public testing::Test {
 protected:
  InterruptedSource()
      : log_(
            {}, [](std::string_view) {}, std::chrono::system_clock::now),
        host_(rd_kafka_new(RD_KAFKA_PRODUCER, quiet(), nullptr, 0)),
        cluster_(rd_kafka_mock_cluster_new(host_.get(), 1)) {
    rd_kafka_mock_topic_create(cluster_.get(), "docs", 1, 1);
    options_.brokers = rd_kafka_mock_cluster_bootstraps(cluster_.get());
    options_.group_id = "group";
    source_options_.assignment = {{"docs"}, 0, 1};
  }

  void fail(std::int16_t request, rd_kafka_resp_err_t error, int times) {
    std::vector<rd_kafka_resp_err_t> errors(static_cast<std::size_t>(times), error);
    rd_kafka_mock_push_request_errors_array(cluster_.get(), request, errors.size(), errors.data());
  }

  Log log_;
  ClientEvents events_{log_};
  KafkaHandle host_;
  MockCluster cluster_;
  KafkaOptions options_;
  KafkaSourceOptions source_options_;
  const steady_clock::time_point end_ = steady_clock::now() + kPatience;
  RetryPolicy retry_{[this] { return steady_clock::now() > end_; }, events_, log_};
  StageWatch watch_{seconds(300), [](ServiceStage, seconds) {}};
  NoProbe probe_;
};

TEST_F(InterruptedSource, EndsWhatItTriesAgainAndAgain) {
  const Consumer consumer(options_, events_);
  KafkaSource source({consumer, retry_, watch_, probe_}, {{{"docs", 0}, 0}}, source_options_);
  // The source asks where the partition begins, and is never told.
  fail(kListOffsets, RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, 10'000);
  fail(kFetch, RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE, 1);
  auto reading = std::async(std::launch::async, [&] {
    try {
      RawChunk chunk;
      source.read(10, 1 << 20, chunk);
    } catch (const Stopped&) {
    }
  });
  EXPECT_EQ(reading.wait_for(seconds(3)), std::future_status::timeout);
  source.interrupt();
  EXPECT_EQ(reading.wait_for(seconds(15)), std::future_status::ready);
}

}  // namespace
}  // namespace neardup::TEST_FILE
