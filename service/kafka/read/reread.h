// Rereads the messages that the delivery of a stored batch needs, since the outbox holds only
// flags.
#pragma once

#include "service/kafka/client/retry_policy.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/message/topic_ids.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/decided_batch.h"

namespace neardup {

// The messages of those flags of `batch` that need them (needs_record). A message that was deleted,
// as all of `others` were, topics that were made again, is left out with `skip_gap`, else
// Failure(kUnavailable). Throws Stopped.
HeldRecords reread(const StoredBatch& batch, const AnswerMode& mode, bool skip_gap,
                   const TopicIds& others, const Consumer& consumer, RetryPolicy& retry);

}  // namespace neardup
