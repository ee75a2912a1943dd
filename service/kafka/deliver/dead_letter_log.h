// A debug line for each dead letter, so that a document can be followed.
#pragma once

#include "pipeline/core/flag.h"
#include "service/kafka/message/message.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/message/trace_context.h"
#include "service/log/log.h"

namespace neardup {

// `letter` is of the message that `flag` answers, which came from `from` and belongs to `trace`, or
// to none where that is null.
void log_dead_letter(const OutgoingMessage& letter, const Flag& flag, const TopicPartition& from,
                     const TraceContext* trace, Log& log);

}  // namespace neardup
