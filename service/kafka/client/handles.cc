#include "service/kafka/client/handles.h"

#include <fmt/core.h>

namespace neardup {
namespace {

bool is_fencing(rd_kafka_resp_err_t code) {
  switch (code) {
    case RD_KAFKA_RESP_ERR__FENCED:
    case RD_KAFKA_RESP_ERR_PRODUCER_FENCED:
    case RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH:
    case RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID:
      return true;
    default:
      return false;
  }
}

bool is_denial(rd_kafka_resp_err_t code) {
  switch (code) {
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
    case RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED:
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
      return true;
    default:
      return false;
  }
}

bool is_passing(rd_kafka_resp_err_t code) {
  switch (code) {
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE:
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__WAIT_COORD:
    case RD_KAFKA_RESP_ERR__RESOLVE:
    case RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS:
    case RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_COORDINATOR:
    case RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION:
    case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
    case RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION:
    case RD_KAFKA_RESP_ERR_CONCURRENT_TRANSACTIONS:
    case RD_KAFKA_RESP_ERR_UNSTABLE_OFFSET_COMMIT:
    case RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_OFFSET_NOT_AVAILABLE:
      return true;
    default:
      return false;
  }
}

}  // namespace

ErrorClass classify(rd_kafka_resp_err_t code) {
  if (is_fencing(code)) return ErrorClass::kFenced;
  if (is_denial(code)) return ErrorClass::kDenied;
  return is_passing(code) ? ErrorClass::kRetriable : ErrorClass::kAbortable;
}

void check(rd_kafka_resp_err_t error, std::string_view doing) {
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return;
  throw KafkaError(classify(error), error,
                   fmt::format("{} failed: {}", doing, rd_kafka_err2str(error)));
}

void check(KafkaErrorPtr error, std::string_view doing) {
  if (!error) return;
  const rd_kafka_resp_err_t code = rd_kafka_error_code(error.get());
  ErrorClass found = classify(code);
  if (found != ErrorClass::kFenced && found != ErrorClass::kDenied) {
    if (rd_kafka_error_is_fatal(error.get()) != 0) {
      found = ErrorClass::kFatal;
    } else if (rd_kafka_error_txn_requires_abort(error.get()) != 0) {
      found = ErrorClass::kAbortable;
    } else if (rd_kafka_error_is_retriable(error.get()) != 0) {
      found = ErrorClass::kRetriable;
    }
  }
  throw KafkaError(found, code,
                   fmt::format("{} failed: {}", doing, rd_kafka_error_string(error.get())));
}

}  // namespace neardup
