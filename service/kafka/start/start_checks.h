// What is looked at before a service starts: topics, their settings, permissions.
#pragma once

#include "config/service_options.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/read/consumer.h"

namespace neardup {

// Waits for brokers. With `create_topics` missing topics are made first, otherwise none ever is.
// Nothing else is changed. Throws Failure(kConfig) that
// names all that is missing or wrong. Permissions to write cannot be asked for: the first batch
// finds out.
MessageLimits check_start(const KafkaOptions& options, OutputMode mode, bool create_topics,
                          Consumer& consumer, RetryPolicy& retry);

}  // namespace neardup
