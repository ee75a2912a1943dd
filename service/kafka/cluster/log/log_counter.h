// Decodes and counts the messages of the log, one after the other, and classifies each: as a
// metric, and as a log line where it should not be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "metrics/kafka_probe.h"
#include "pipeline/base/failure.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/log_decoder.h"
#include "service/cluster/log_order.h"
#include "service/log/log.h"

namespace neardup {

// Why a reader ends that finds a message of a newer format: nothing after it counts for a process
// that cannot know what it says.
Failure newer_log_message(std::int64_t offset);

// What a reader of the log of a cluster uses. The references must outlive the reader.
struct LogContext {
  const Rule& rule;
  std::string cluster;  // its uuid
  SimdLevel simd;
  KafkaProbe& probe;
  Log& log;
};

// One thread.
class LogCounter {
 public:
  // `state`: before the first message.
  LogCounter(const LogContext& context, LogState state);

  // The next message. kNewerFormat: it is not counted, and none may come after it.
  LogTurn take(std::int64_t offset, std::string_view bytes);

  // What it holds, as LogOrder leaves it.
  LogMessage& message() { return message_; }
  // Behind it.
  const LogState& state() const { return order_.state(); }

 private:
  LogDecoder decoder_;
  LogOrder order_;
  LogMessage message_;
  KafkaProbe& probe_;
  RateLimitedLog passed_over_;
};

}  // namespace neardup
