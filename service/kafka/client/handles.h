// Owning pointers to librdkafka's objects, and its errors as exceptions.
#pragma once

#include <librdkafka/rdkafka.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace neardup {

template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};

using KafkaHandle = std::unique_ptr<rd_kafka_t, Destroy<rd_kafka_destroy>>;
using KafkaConf = std::unique_ptr<rd_kafka_conf_t, Destroy<rd_kafka_conf_destroy>>;
using KafkaErrorPtr = std::unique_ptr<rd_kafka_error_t, Destroy<rd_kafka_error_destroy>>;
using KafkaMessage = std::unique_ptr<rd_kafka_message_t, Destroy<rd_kafka_message_destroy>>;
using KafkaQueue = std::unique_ptr<rd_kafka_queue_t, Destroy<rd_kafka_queue_destroy>>;
using KafkaEvent = std::unique_ptr<rd_kafka_event_t, Destroy<rd_kafka_event_destroy>>;
using PartitionList = std::unique_ptr<rd_kafka_topic_partition_list_t,
                                      Destroy<rd_kafka_topic_partition_list_destroy>>;
using GroupMetadata = std::unique_ptr<rd_kafka_consumer_group_metadata_t,
                                      Destroy<rd_kafka_consumer_group_metadata_destroy>>;

// Empty where there is none. Valid as long as the message.
inline std::string_view value_of(const rd_kafka_message_t& message) {
  return {static_cast<const char*>(message.payload), message.len};
}

// How long a poll waits for a message, in milliseconds: within that a stop is seen.
inline constexpr int kPollMs = 100;
inline constexpr std::chrono::milliseconds kPoll{kPollMs};

// How to react to an error.
enum class ErrorClass : std::uint8_t {
  kRetriable,  // repeat the call
  kAbortable,  // the transaction is lost: send the batch again with a new producer
  kFatal,      // the producer is lost: send the batch again with a new one
  kExpired,    // the transaction lasted too long and was aborted: the committed offsets show
               // whether another instance has taken over meanwhile
  kFenced,     // another instance has taken over: end
  kDenied,     // wrong credentials or a missing permission: end
};

class KafkaError : public std::runtime_error {
 public:
  KafkaError(ErrorClass error_class, rd_kafka_resp_err_t code, const std::string& message)
      : std::runtime_error(message), class_(error_class), code_(code) {}
  ErrorClass error_class() const { return class_; }
  rd_kafka_resp_err_t code() const { return code_; }

 private:
  ErrorClass class_;
  rd_kafka_resp_err_t code_;
};

// The class by the code alone; `check` also uses the flags of an error object.
ErrorClass classify(rd_kafka_resp_err_t code);

// Throws KafkaError unless `error` is none; `doing` completes "… failed".
void check(rd_kafka_resp_err_t error, std::string_view doing);
void check(KafkaErrorPtr error, std::string_view doing);

}  // namespace neardup
