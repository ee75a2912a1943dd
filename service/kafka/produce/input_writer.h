// Writes into the first input topic: the records of POST /v1/documents, and deletes of a cluster's
// documents.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "config/config.h"
#include "pipeline/base/mutex.h"
#include "service/ingest/documents_port.h"
#include "service/kafka/client/client_events.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/deliver/producer.h"
#include "service/kafka/produce/flag_waits.h"
#include "service/kafka/produce/input_message.h"
#include "service/kafka/read/assignment.h"
#include "service/log/log.h"

namespace neardup {

// POST /v1/documents of a service that reads Kafka: one thread writes the records of bodies, and
// answers with their positions, or with their flags.
class InputWriter {
 public:
  // The references must outlive this. Once `abandoned` is true, what is not written yet is refused.
  // The producer is made when the first record comes. Throws as InputMessages.
  InputWriter(const Config& config, DocumentsPort& port, FlagWaits& waits,
              const std::atomic<bool>& abandoned, Log& log);
  // Writes what has come, and answers the open requests.
  ~InputWriter();
  InputWriter(const InputWriter&) = delete;
  InputWriter& operator=(const InputWriter&) = delete;

 private:
  // The records of one request in a chunk.
  struct Part {
    std::uint32_t number = 0;
    std::shared_ptr<DocumentRequest> request;  // null: it has been answered
    std::string lines;
    std::uint64_t records = 0;
    std::optional<HttpAnswer> failure;
  };
  struct Sent {
    std::size_t part = 0;
    std::optional<NoMessage> none;  // why the record is not written
    DeliveryReport report;
  };

  void run();
  void write(const RawChunk& chunk);
  bool divide(const RawChunk& chunk);
  std::size_t part_of(std::uint32_t request);
  void send(const RawChunk& chunk);
  void send_alone(const RawChunk& chunk);
  void send(const RawRecord& record, Sent& sent);
  void wait_for_reports();
  void add(const Sent& sent, Part& part, std::vector<AwaitedFlag>& awaited) const;
  HttpAnswer not_written(rd_kafka_resp_err_t error) const;
  void answer(Part& part);

  const KafkaOptions options_;  // the first input topic is its only output
  const Assignment assignment_;
  DocumentsPort& port_;
  FlagWaits& waits_;
  const std::atomic<bool>& abandoned_;
  ClientEvents events_;
  RetryPolicy retry_;
  InputMessages messages_;
  std::unique_ptr<Producer> producer_;
  std::vector<Part> parts_;  // of the chunk
  std::vector<Sent> sent_;   // its records
  std::thread thread_;       // last: it uses all of the above
};

// Messages without a value, which the log then has in its order.
class InputDeletes {
 public:
  // The references must outlive this. Once `abandoned` is true, what is not written yet is refused.
  InputDeletes(const Config& config, const std::atomic<bool>& abandoned, Log& log);

  // Any thread. Returns when the topic has all of them. Throws Failure(kUnavailable) when it may
  // have some of them only.
  void write(const std::string& name_space, const std::vector<std::string>& ids) EXCLUDES(mutex_);

 private:
  const KafkaOptions options_;  // the first input topic is its only output
  const std::atomic<bool>& abandoned_;
  ClientEvents events_;
  RetryPolicy retry_;
  Mutex mutex_;
  std::unique_ptr<Producer> producer_ GUARDED_BY(mutex_);  // null: made for the next call
};

}  // namespace neardup
