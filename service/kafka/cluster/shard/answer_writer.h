// Answers of a shard → its partition of the topic of answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "config/service_options.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/answer_codec.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/deliver/producer.h"

namespace neardup {

// The settings of its producer.
KafkaOptions options_of_answers(const KafkaOptions& options, const ClusterOptions& cluster);

// One thread. Errors are KafkaErrors; after one the writer must not be used again, and what it was
// given may be lost.
class AnswerWriter {
 public:
  // `options`: those of the answers. `retry` must outlive this.
  AnswerWriter(const KafkaOptions& options, const Rule& rule, const std::string& cluster,
               std::uint32_t shard, RetryPolicy& retry);

  // Hands them to librdkafka, and returns the size of the message. Throws Failure(kConfig) when the
  // topic does not take messages that large, Stopped.
  std::size_t write(Answer answer);

  // Takes what the brokers have answered.
  void poll();

 private:
  const std::string topic_;
  const std::uint32_t shard_;
  const AnswerCodec codec_;
  std::deque<DeliveryReport> reports_;  // of messages that are not acknowledged; librdkafka has
                                        // pointers into it
  Producer producer_;                   // last: it writes to the reports
};

}  // namespace neardup
