// librdkafka's own broker inside this process: it gives errors on request that a real one gives
// rarely. Atomicity and recovery are shown with real brokers (tests/kafka).
#pragma once

#include <librdkafka/rdkafka.h>
// After rdkafka.h.
#include <librdkafka/rdkafka_mock.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "service/kafka/client/handles.h"

namespace neardup {

// Numbers of Kafka's protocol.
enum Request : std::int16_t {
  kProduce = 0,
  kFetch = 1,
  kCommitAsMember = 8,
  kInitProducerId = 22,
  kAddPartitions = 24,
  kAddOffsets = 25,
  kEndTransaction = 26,
  kCommitOffsets = 28,
};

class MockBroker {
 public:
  MockBroker()
      : host_(rd_kafka_new(RD_KAFKA_PRODUCER, quiet(), nullptr, 0)),
        cluster_(rd_kafka_mock_cluster_new(host_.get(), 1)) {}

  std::string bootstrap() const { return rd_kafka_mock_cluster_bootstraps(cluster_.get()); }

  void create_topic(const char* name, int partitions = 1) {
    rd_kafka_mock_topic_create(cluster_.get(), name, partitions, 1);
  }

  // The broker that leads a partition: 1, or -1 for none.
  void set_leader(const char* topic, int partition, std::int32_t broker) {
    rd_kafka_mock_partition_set_leader(cluster_.get(), topic, partition, broker);
  }

  // Groups wait so long for more members before their first assignment; else three seconds.
  void assign_after(std::chrono::milliseconds time) {
    rd_kafka_mock_group_initial_rebalance_delay_ms(cluster_.get(),
                                                   static_cast<std::int32_t>(time.count()));
  }

  // The next requests of that kind end so.
  void fail(Request request, std::vector<rd_kafka_resp_err_t> errors) {
    rd_kafka_mock_push_request_errors_array(cluster_.get(), request, errors.size(), errors.data());
  }

 private:
  static rd_kafka_conf_t* quiet() {
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    rd_kafka_conf_set(conf, "log_level", "0", nullptr, 0);
    return conf;  // the client takes it
  }

  using Cluster = std::unique_ptr<rd_kafka_mock_cluster_t, Destroy<rd_kafka_mock_cluster_destroy>>;
  KafkaHandle host_;
  Cluster cluster_;
};

}  // namespace neardup
