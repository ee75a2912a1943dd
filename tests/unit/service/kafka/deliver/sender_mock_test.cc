// The transactional sender against librdkafka's mock broker: errors that a real one gives rarely.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/base/failure.h"
#include "service/kafka/deliver/sender.h"
#include "tests/unit/service/kafka/mock_broker.h"

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;

class SendingTransactions : public testing::Test {
 protected:
  SendingTransactions()
      : log_(
            {}, [this](std::string_view line) { lines_ += line; }, std::chrono::system_clock::now) {
    options_.brokers = broker_.bootstrap();
    options_.group_id = "group";
    options_.output_topic = "flags";
    options_.dead_letter_topic = "dead";
    // A fatal error is known; no cause to wait for acknowledgements that never come.
    options_.librdkafka = {{"transaction.timeout.ms", "10000"}, {"message.timeout.ms", "8000"}};
    broker_.create_topic("docs");
    broker_.create_topic("flags");
    broker_.create_topic("dead");
  }

  void fail(Request request, std::vector<rd_kafka_resp_err_t> errors) {
    broker_.fail(request, std::move(errors));
  }

  std::unique_ptr<Sender> make() { return make_transactional_sender(options_, retry_); }

  static void send_batch(Sender& sender) {
    sender.begin();
    sender.produce({.key = "id", .value = "flag", .headers = {{"name", "value"}}, .ts_ms = {}});
    sender.commit({{{"docs", 0}, 41}}, {"state", 1, std::string(32, '0'), 2}, {{"docs", "id"}});
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
  RetryPolicy retry_{[] { return false; }, events_, log_};
  MockBroker broker_;
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
}  // namespace neardup::TEST_FILE
