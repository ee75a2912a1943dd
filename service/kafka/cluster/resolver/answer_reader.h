// Reads the topic of answers of a cluster from its end on: those of all shards, since a placement
// may add any.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "metrics/resolver_probe.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/resolver/answer_book.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/partition_reader.h"

namespace neardup {

// One thread.
class AnswerReader {
 public:
  // Answers that are written from now on are read. Waits for brokers. The references must outlive
  // this. Throws Stopped.
  AnswerReader(const Consumer& consumer, std::string topic, AnswerBook& book, ResolverProbe& probe,
               RetryPolicy& retry);

  // Gives answers to the book until none comes in time, or it has had `most`. True: it has kept one
  // at least. Answers that are gone before they are read are asked for again by whoever misses
  // them. Throws as AnswerBook::take does.
  bool read(std::chrono::milliseconds wait, std::size_t most);

 private:
  void start();
  bool take(const rd_kafka_message_t& message);
  void on_error(const rd_kafka_message_t& message);

  const Consumer& consumer_;
  const std::string topic_;
  AnswerBook& book_;
  ResolverProbe& probe_;
  RetryPolicy& retry_;
  RateLimitedLog log_;
  bool is_lost_ = false;  // what it would read next is gone
  std::unique_ptr<PartitionReader> reader_;
};

}  // namespace neardup
