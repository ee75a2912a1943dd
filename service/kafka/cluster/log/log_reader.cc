#include "service/kafka/cluster/log/log_reader.h"

#include <fmt/core.h>

#include <string_view>

#include "pipeline/core/failure.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/read/reading.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;

}  // namespace

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
    : partition_{options.log_topic(), 0},
      errors_(log, kBetweenReadErrors),
      reader_(consumer.read({{partition_, offset}})) {}

KafkaMessage LogReader::poll(milliseconds wait) {
  while (KafkaMessage message = reader_->poll(static_cast<int>(wait.count()))) {
    switch (message->err) {
      case RD_KAFKA_RESP_ERR_NO_ERROR:
        return message;
      case RD_KAFKA_RESP_ERR__PARTITION_EOF:
        break;
      default:
        require_kept(*message);
        on_read_error(to_text(partition_), *message, errors_);
    }
  }
  return nullptr;
}

bool LogReader::read(milliseconds wait, Seq most, UndecidedLog& undecided) {
  bool any = false;
  while (undecided.next_seq() < most) {
    const KafkaMessage message = poll(any ? milliseconds(0) : wait);
    if (!message) break;
    undecided.take(message->offset, rd_kafka_message_timestamp(message.get(), nullptr),
                   {static_cast<const char*>(message->payload), message->len});
    any = true;
  }
  return any;
}

}  // namespace neardup
