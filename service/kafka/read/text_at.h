// The text of one record of an input topic, by the position that its flag names.
#pragma once

#include <cstdint>
#include <string>

#include "config/config.h"
#include "service/kafka/message/positions.h"
#include "service/log/log.h"

namespace neardup {

// Before normalisation. Throws Failure(kUnreadable) when the message is not there any more or has
// no text, Failure(kUnavailable) when no broker gives it within 10 s, Failure(kConfig) when the
// brokers deny the connection.
std::string kafka_text_at(const Config& config, const TopicPartition& partition,
                          std::int64_t offset, Log& log);

}  // namespace neardup
