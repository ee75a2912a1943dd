// The callbacks of librdkafka: log lines, lost and denied connections, failed deliveries.
#pragma once

#include <atomic>
#include <string>

#include "pipeline/base/mutex.h"
#include "service/kafka/client/handles.h"
#include "service/log/log.h"

namespace neardup {

// Where a message went: the opaque pointer of a message whose sender wants to know.
struct DeliveryReport {
  rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR__IN_PROGRESS;
  std::int32_t partition = 0;
  std::int64_t offset = 0;
};

// Must outlive the clients that report to it. librdkafka's threads call the callbacks.
class ClientEvents {
 public:
  explicit ClientEvents(Log& log) : log_(log) {}
  virtual ~ClientEvents() = default;
  ClientEvents(const ClientEvents&) = delete;
  ClientEvents& operator=(const ClientEvents&) = delete;

  // Registers the callbacks in `conf`: its client reports here.
  virtual void listen(rd_kafka_conf_t* conf);

  // Why the brokers deny the connection (wrong credentials, TLS); empty: they do not.
  std::string denial() const;
  // No broker could be reached when last tried.
  bool brokers_down() const { return brokers_down_; }
  // A broker has answered, or none did in time.
  void brokers_up();
  void no_answer() { brokers_down_ = true; }
  // Deliveries of a client without transactions that failed since the last call, but of messages
  // with a DeliveryReport.
  std::uint64_t take_failed_deliveries() { return failed_deliveries_.exchange(0); }

 private:
  bool is_passing_token_fault(std::string_view text);
  static void on_log(const rd_kafka_t* client, int level, const char* facility, const char* text);
  static void on_error(rd_kafka_t* client, int code, const char* text, void* opaque);
  static void on_delivery(rd_kafka_t* client, const rd_kafka_message_t* message, void* opaque);

  Log& log_;
  std::atomic<bool> brokers_down_{false};
  std::atomic<std::uint64_t> failed_deliveries_{0};
  std::atomic<int> token_status_{0};  // of the last request for a token that failed
  mutable Mutex mutex_;
  std::string denial_ GUARDED_BY(mutex_);
};

}  // namespace neardup
