// Reads the messages of a stored batch again that its delivery needs and the outbox does not hold.
#pragma once

#include "config/service_options.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/decided_batch.h"

namespace neardup {

// The records of those flags of `batch` that are made of their message (needs_record). One
// that is gone is left out with `skip_gap`, else Failure(kUnavailable).
HeldRecords reread(const StoredBatch& batch, OutputMode mode, bool skip_gap,
                   const Consumer& consumer, RetryPolicy& retry);

}  // namespace neardup
