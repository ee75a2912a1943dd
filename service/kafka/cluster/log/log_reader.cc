#include "service/kafka/cluster/log/log_reader.h"

#include <fmt/core.h>

#include <string_view>

#include "pipeline/base/failure.h"
#include "service/kafka/read/reading.h"

namespace neardup {

void require_messages_from(const Consumer& consumer, const std::string& topic, std::int64_t offset,
                           std::string_view who, RetryPolicy& retry) {
  const std::int64_t low = await_watermarks(consumer, {topic, 0}, retry).low;
  if (low <= offset) return;
  throw Failure(Exit::kUnavailable,
                fmt::format("{} is at offset {} of topic {}, which begins at {} now: messages "
                            "between are gone. Restore a newer backup, and keep the topic longer "
                            "(retention.ms)",
                            who, offset, topic, low));
}

LogReader::LogReader(const Consumer& consumer, const ClusterOptions& options, std::int64_t offset,
                     Log& log)
    : reader_(consumer, options.log_topic(), offset, log) {}

bool LogReader::read(std::chrono::milliseconds wait, Seq most, UndecidedLog& undecided) {
  bool any = false;
  while (undecided.next_seq() < most) {
    const KafkaMessage message = reader_.poll(any ? std::chrono::milliseconds(0) : wait);
    if (!message) break;
    undecided.take(message->offset, rd_kafka_message_timestamp(message.get(), nullptr),
                   {static_cast<const char*>(message->payload), message->len});
    any = true;
  }
  return any;
}

}  // namespace neardup
