// Delivers one stored batch, whatever it takes: after any error but fencing and denial a new sender
// is made, what Kafka has committed is read, and the batch is sent again unless it is there.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "metrics/kafka_probe.h"
#include "service/kafka/deliver/sender.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/decided_batch.h"

namespace neardup {

// Makes a sender that is ready to begin.
using SenderFactory = std::function<std::unique_ptr<Sender>()>;

// A writer of messages for the flags of a batch, which outlives it.
using WriterFactory = std::function<MessageWriter(const StoredBatch&)>;

class Deliverer {
 public:
  // All references must outlive this.
  // `order_key`: the order of each batch is sent too, under that key; empty: it is not.
  Deliverer(SenderFactory make_sender, WriterFactory make_writer, std::string order_key,
            Consumer& consumer, RetryPolicy& retry, KafkaProbe& probe);

  // Makes the first sender: from here on all older instances are fenced. May take as long as a
  // pending transaction does.
  void start();

  // Returns once the batch is delivered and its positions are committed. Throws
  // Failure(kUnavailable) when another instance has taken over or Kafka has anything else than
  // what was there before or after this batch, Failure(kConfig) when we are denied, Stopped.
  void deliver(const DecidedBatch& batch);

  // Failed attempts in a row at the current batch. Any thread may ask.
  unsigned failures() const { return failures_; }

 private:
  bool attempt(const DecidedBatch& batch);
  void send(const DecidedBatch& batch);
  void produce(const DecidedBatch& batch);
  void produce_order(const StoredBatch& batch);
  void restart(const KafkaError& error);
  bool is_committed(const StoredBatch& batch);

  SenderFactory make_sender_;
  WriterFactory make_writer_;
  const std::string order_key_;
  Consumer& consumer_;
  RetryPolicy& retry_;
  KafkaProbe& probe_;
  DeliveredBatchReport report_;  // of the current batch
  bool made_sender_ = false;
  std::unique_ptr<Sender> sender_;
  std::vector<OutgoingMessage> messages_;
  std::atomic<unsigned> failures_{0};
};

// What Kafka has committed for all partitions of `positions`.
std::vector<CommittedOffset> read_committed(const Consumer& consumer, const Positions& positions,
                                            RetryPolicy& retry);

}  // namespace neardup
