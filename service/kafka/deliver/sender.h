// Sends one batch after another with the positions behind it. Each batch is `begin`, any number of
// `produce`, `commit`. Errors are KafkaErrors; after one that is not retriable the sender is of no
// more use. One thread at a time. `Stopped` when the retry policy is stopped.
#pragma once

#include <memory>
#include <string>

#include "config/service_options.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/message.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

class Sender {
 public:
  virtual ~Sender() = default;
  virtual void begin() = 0;
  virtual void produce(const OutgoingMessage& message) = 0;
  // All of the batch is delivered and `to` committed with `mark` once this returns; with
  // transactions both or neither. Requires: `to` is not empty.
  virtual void commit(const Positions& to, const CommitMetadata& mark) = 0;
};

// guarantee: exactly_once. A new sender fences all older ones of the same transactional id, and
// waits until nothing of theirs is pending.
std::unique_ptr<Sender> make_transactional_sender(const KafkaOptions& options, RetryPolicy& retry);

// guarantee: at_least_once. Offsets are committed through `consumer`, which must outlive it.
std::unique_ptr<Sender> make_idempotent_sender(const KafkaOptions& options, Consumer& consumer,
                                               RetryPolicy& retry);

}  // namespace neardup
