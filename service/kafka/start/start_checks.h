// The checks before a service starts: topics, their settings, permissions.
#pragma once

#include "config/service_options.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

// Waits for brokers. Creates missing topics first if `create_topics`, and changes nothing else.
// Throws Failure(kConfig) that names everything missing or wrong, Stopped. Write permissions cannot
// be queried: a missing one fails the first batch.
MessageLimits check_start(const KafkaOptions& options, OutputMode mode, bool create_topics,
                          Consumer& consumer, RetryPolicy& retry);

}  // namespace neardup
