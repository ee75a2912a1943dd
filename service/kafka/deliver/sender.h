// Sends batches, each with the positions after it: `begin`, any number of `produce`, `commit`.
// Throws Stopped and KafkaErrors. After a KafkaError that is not retriable the sender must not be
// used again. One thread at a time.
#pragma once

#include <memory>
#include <string>

#include "config/service_options.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/message.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/topic_ids.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

class Sender {
 public:
  virtual ~Sender() = default;
  virtual void begin() = 0;
  virtual void produce(const OutgoingMessage& message) = 0;
  // Once this returns, the whole batch is delivered and `to` is committed with `mark` and the ids
  // of its topics; with transactions atomically. Requires: `to` is not empty.
  virtual void commit(const Positions& to, const CommitMetadata& mark, const TopicIds& ids) = 0;
};

// guarantee: exactly_once. A new sender fences all older ones of the same transactional id, and
// waits for their pending transactions.
std::unique_ptr<Sender> make_transactional_sender(const KafkaOptions& options, RetryPolicy& retry);

// guarantee: at_least_once. Offsets are committed through `consumer`, which must outlive it.
std::unique_ptr<Sender> make_idempotent_sender(const KafkaOptions& options, Consumer& consumer,
                                               RetryPolicy& retry);

}  // namespace neardup
