// Reads answers of shards from the ends of their partitions on. Partitions of shards that no
// placement has named are not read: one of them may be without a leader.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "metrics/resolver_probe.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/resolver/answer_book.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/topic_scan.h"

namespace neardup {

// One thread.
class AnswerReader {
 public:
  // Reads nothing yet. The references must outlive this.
  AnswerReader(const Consumer& consumer, std::string topic, AnswerBook& book, ResolverProbe& probe,
               RetryPolicy& retry);

  // Reads the answers of these shards, too, that are written from now on, and of one that is added
  // later some from before. Waits for brokers. Throws Stopped.
  void follow(const std::vector<std::uint32_t>& shards);

  // Requires: it follows some. Gives answers to the book until none comes in time, or it has had
  // `most`. True: it has kept one at least. Answers that are gone before they are read are asked
  // for again by whoever misses them. Throws as AnswerBook::take does.
  bool read(std::chrono::milliseconds wait, std::size_t most);

 private:
  std::vector<TopicPartition> followed() const;
  Positions find(const std::vector<TopicPartition>& partitions, std::int64_t before);
  void read_on(const Positions& positions);
  bool take(const rd_kafka_message_t& message);

  const Consumer& consumer_;
  const std::string topic_;
  AnswerBook& book_;
  ResolverProbe& probe_;
  RetryPolicy& retry_;
  RateLimitedLog log_;
  std::map<TopicPartition, std::int64_t> next_;  // offset of the next message
  bool is_lost_ = false;                         // what it would read next is gone
  std::unique_ptr<TopicScan> scan_;
};

}  // namespace neardup
