// Messages of input topics that were read before, fetched again by their positions.
#pragma once

#include <cstdint>
#include <string>

#include "config/config.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/topic_ids.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/decided_batch.h"
#include "service/log/log.h"

namespace neardup {

// The messages of those flags of `batch` that need them (needs_record): the outbox holds only
// flags. A message that was deleted, as all of `others` were, recreated topics, is left
// out with `skip_gap`, else Failure(kUnavailable). Throws Stopped.
HeldRecords fetch_records(const StoredBatch& batch, const AnswerMode& mode, bool skip_gap,
                          const TopicIds& others, const Consumer& consumer, RetryPolicy& retry);

// The text of one record, before normalisation. Throws Failure(kUnreadable) when the message is not
// there any more or has no text, Failure(kUnavailable) when no broker gives it within 10 s,
// Failure(kConfig) when the brokers deny the connection.
std::string fetch_text(const Config& config, const TopicPartition& partition, std::int64_t offset,
                       Log& log);

}  // namespace neardup
