#include "service/kafka/client/client_conf.h"

#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

std::string linger(const KafkaOptions& options, ClientRole role) {
  return conf_value(make_conf(options, role).get(), "linger.ms");
}

TEST(ClientConf, AConsumerAsksForMoreSoonAfterItsQueueWasFull) {
  EXPECT_EQ(conf_value(make_conf({}, ClientRole::kConsumer).get(), "fetch.queue.backoff.ms"), "50");
}

TEST(ClientConf, OnlyProducersOfTransactionsWaitForMoreMessages) {
  EXPECT_EQ(linger({}, ClientRole::kTransactional), "100");
  EXPECT_EQ(linger({}, ClientRole::kIdempotent),
            conf_value(KafkaConf(rd_kafka_conf_new()).get(), "linger.ms"));
}

TEST(ClientConf, AUsersValueComesBeforeOurs) {
  KafkaOptions options;
  options.librdkafka["linger.ms"] = "7";
  EXPECT_EQ(linger(options, ClientRole::kTransactional), "7");
}

}  // namespace
}  // namespace neardup::TEST_FILE
