// The transactional sender against librdkafka's own cluster inside this process, which gives the
// errors that a real one gives rarely. That a batch is there once, and whole, is shown with real
// brokers (tests/kafka).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>
// After rdkafka.h.
#include <librdkafka/rdkafka_mock.h>

#include "pipeline/core/failure.h"
#include "service/kafka/sender.h"

namespace neardup {
namespace {

using testing::HasSubstr;

// Numbers of Kafka's protocol.
enum Request : std::int16_t {
  kProduce = 0,
  kInitProducerId = 22,
  kAddPartitions = 24,
  kAddOffsets = 25,
  kEndTransaction = 26,
  kCommitOffsets = 28,
};

using MockCluster =
    std::unique_ptr<rd_kafka_mock_cluster_t, Destroy<rd_kafka_mock_cluster_destroy>>;

class SendingTransactions : public testing::Test {
 protected:
  SendingTransactions()
      : log_(
            {}, [this](std::string_view line) { lines_ += line; }, std::chrono::system_clock::now),
        host_(rd_kafka_new(RD_KAFKA_PRODUCER, quiet(), nullptr, 0)),
        cluster_(rd_kafka_mock_cluster_new(host_.get(), 1)) {
    options_.brokers = rd_kafka_mock_cluster_bootstraps(cluster_.get());
    options_.group_id = "group";
    options_.output_topic = "flags";
    options_.dead_letter_topic = "dead";
    // A fatal error is known; no cause to wait for acknowledgements that never come.
    options_.librdkafka = {{"transaction.timeout.ms", "10000"}, {"message.timeout.ms", "8000"}};
    rd_kafka_mock_topic_create(cluster_.get(), "docs", 1, 1);
    rd_kafka_mock_topic_create(cluster_.get(), "flags", 1, 1);
    rd_kafka_mock_topic_create(cluster_.get(), "dead", 1, 1);
  }

  static rd_kafka_conf_t* quiet() {
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    rd_kafka_conf_set(conf, "log_level", "0", nullptr, 0);
    return conf;  // the client takes it
  }

  // The next requests of that kind end so.
  void fail(Request request, std::vector<rd_kafka_resp_err_t> errors) {
    rd_kafka_mock_push_request_errors_array(cluster_.get(), request, errors.size(), errors.data());
  }

  std::unique_ptr<Sender> make() { return make_transactional_sender(options_, patience_); }

  static void send_batch(Sender& sender) {
    sender.begin();
    sender.produce({.key = "id", .value = "flag", .headers = {{"name", "value"}}, .ts_ms = {}});
    sender.commit({{{"docs", 0}, 41}}, {"state", 1, std::string(32, '0'), 2});
  }

  ErrorClass error_of_a_batch() {
    const auto sender = make();
    try {
      send_batch(*sender);
    } catch (const KafkaError& error) {
      return error.error_class();
    }
    ADD_FAILURE() << "the batch was committed";
    return ErrorClass::kRetriable;
  }

  std::string lines_;
  Log log_;
  ClientEvents events_{log_};
  Patience patience_{[] { return false; }, events_, log_};
  KafkaHandle host_;
  MockCluster cluster_;
  KafkaOptions options_;
};

TEST_F(SendingTransactions, BatchAfterBatch) {
  const auto sender = make();
  for (int batch = 0; batch < 3; ++batch) send_batch(*sender);
}

TEST_F(SendingTransactions, WhatPassesIsTriedAgain) {
  fail(kInitProducerId,
       {RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_CONCURRENT_TRANSACTIONS});
  fail(kAddPartitions, {RD_KAFKA_RESP_ERR_CONCURRENT_TRANSACTIONS});
  fail(kAddOffsets, {RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS});
  fail(kCommitOffsets, {RD_KAFKA_RESP_ERR_NOT_COORDINATOR});
  fail(kEndTransaction, {RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE});
  const auto sender = make();
  send_batch(*sender);
  send_batch(*sender);
}

TEST_F(SendingTransactions, ALostAnswerToTheCommitIsAskedForAgain) {
  const auto sender = make();
  fail(kEndTransaction, {RD_KAFKA_RESP_ERR__TRANSPORT});
  send_batch(*sender);
  send_batch(*sender);
}

TEST_F(SendingTransactions, ARefusedMessageCostsTheTransaction) {
  fail(kProduce, {RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE});
  EXPECT_EQ(error_of_a_batch(), ErrorClass::kAbortable);
}

TEST_F(SendingTransactions, ACoordinatorThatForgotTheProducerCostsTheTransactionOrTheProducer) {
  fail(kAddOffsets, {RD_KAFKA_RESP_ERR_INVALID_PRODUCER_ID_MAPPING});
  EXPECT_THAT(error_of_a_batch(), testing::AnyOf(ErrorClass::kAbortable, ErrorClass::kFatal));
}

TEST_F(SendingTransactions, ATransactionThatIsNotOneAnyMoreIsFatal) {
  fail(kEndTransaction, {RD_KAFKA_RESP_ERR_INVALID_TXN_STATE});
  EXPECT_EQ(error_of_a_batch(), ErrorClass::kFatal);
}

TEST_F(SendingTransactions, ANewerInstanceFences) {
  for (const auto request : {kAddPartitions, kAddOffsets, kCommitOffsets, kEndTransaction}) {
    fail(request, {RD_KAFKA_RESP_ERR_PRODUCER_FENCED});
    EXPECT_EQ(error_of_a_batch(), ErrorClass::kFenced) << request;
  }
}

TEST_F(SendingTransactions, AMissingPermissionIsADenial) {
  fail(kProduce, {RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED});
  EXPECT_THROW(error_of_a_batch(), Failure);
}

TEST_F(SendingTransactions, AMissingPermissionForTheTransactionalIdNamesIt) {
  fail(kInitProducerId, {RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED});
  try {
    make();
    ADD_FAILURE() << "a sender was made";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kConfig);
    EXPECT_THAT(failure.what(), HasSubstr("group/1/0"));
  }
}

}  // namespace
}  // namespace neardup
