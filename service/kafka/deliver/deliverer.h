// Delivers one stored batch. After any error but fencing and denial it makes a new sender, reads
// the committed offsets, and sends the batch again unless they show that it is delivered.
//
// One thread at a time: that of the start procedure, then the delivery thread. A batch is durable
// in the outbox before it comes here, and delivered once its positions are committed: with
// exactly_once in the same transaction as its messages. After a crash before that, the next start
// sends it again from the outbox (start/recovery.h); with at_least_once the topics may then have
// its messages twice.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "metrics/kafka_probe.h"
#include "service/kafka/deliver/sender.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/decided_batch.h"
#include "service/kafka/read/topic_watch.h"

namespace neardup {

// Makes a sender that is ready to begin.
using SenderFactory = std::function<std::unique_ptr<Sender>()>;

// Makes a writer for the flags of a batch, which must outlive it.
using WriterFactory = std::function<MessageWriter(const StoredBatch&)>;

struct DelivererOptions {
  SenderFactory make_sender;
  WriterFactory make_writer;
  // The key of the order messages; empty: none are sent. A batch of a cluster has a separate
  // message in their place.
  std::string order_key = {};
};

class Deliverer {
 public:
  // All references must outlive this. Offsets and orders have the ids that `topics` knows.
  Deliverer(DelivererOptions options, Consumer& consumer, const TopicWatch& topics,
            RetryPolicy& retry, KafkaProbe& probe);

  // Makes the first sender, which fences all older instances with guarantee exactly_once. Waits for
  // their pending transactions.
  void start();

  // Returns once the batch is delivered and its positions are committed. Throws Stopped,
  // Failure(kConfig) when a permission is missing, and Failure(kUnavailable) when another instance
  // has taken over or the committed offsets are neither those before nor those after this batch.
  void deliver(const DecidedBatch& batch);

  // Why the process is not ready, after a few attempts at one batch; empty: it is. Any thread.
  std::string not_ready_reason() const;

 private:
  bool attempt(const DecidedBatch& batch);
  void send(const DecidedBatch& batch);
  void produce(const DecidedBatch& batch);
  void produce_order(const StoredBatch& batch);
  void restart(const KafkaError& error);
  bool is_committed(const StoredBatch& batch);

  const DelivererOptions options_;
  Consumer& consumer_;
  const TopicWatch& topics_;
  RetryPolicy& retry_;
  KafkaProbe& probe_;
  DeliveredBatchReport report_;  // of the current batch
  bool made_sender_ = false;
  std::unique_ptr<Sender> sender_;
  std::vector<OutgoingMessage> messages_;
  std::atomic<unsigned> failures_{0};  // consecutive, at the current batch
};

// The committed offsets of all partitions of `positions`.
std::vector<CommittedOffset> read_committed(const Consumer& consumer, const Positions& positions,
                                            RetryPolicy& retry);

}  // namespace neardup
