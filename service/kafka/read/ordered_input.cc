#include "service/kafka/read/ordered_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/read/reading.h"

namespace neardup {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Failure(Exit::kUnavailable,
                what +
                    "\nThe flags that were delivered cannot be decided again, so nothing was "
                    "sent. Restore a newer copy of the state, or build a new one with another "
                    "kafka.group_id and an output topic of its own.");
}

[[noreturn]] void refuse_unflagged(const TopicPartition& partition, std::int64_t found,
                                   std::int64_t upto) {
  refuse(
      fmt::format("{} has a record at offset {} that was not flagged: what was delivered goes on "
                  "at offset {}",
                  to_text(partition), found, upto));
}

}  // namespace

OrderedInput::OrderedInput(const Consumer& consumer, std::size_t partitions, RetryPolicy& retry,
                           std::function<bool()> ended)
    : consumer_(consumer),
      retry_(retry),
      errors_(retry.log(), kBetweenReadErrors),
      ended_(std::move(ended)),
      queues_(consumer.queues(partitions)) {}

// Returns the oldest offset of the partition. Throws when the record is before it or after the end.
std::int64_t OrderedInput::require_kept(const Position& record) {
  const Watermarks marks = await_watermarks(consumer_, record.partition, retry_);
  if (record.offset < marks.low) {
    refuse(fmt::format(
        "{} records of {} were deleted before they were read again: the next one "
        "would be offset {}, the oldest one there is {}",
        marks.low - record.offset, to_text(record.partition), record.offset, marks.low));
  }
  if (record.offset > marks.high) {
    refuse(
        fmt::format("{} ends at offset {}, but what was delivered goes on at offset {}: the "
                    "topic was truncated or recreated",
                    to_text(record.partition), marks.high, record.offset));
  }
  return marks.low;
}

void OrderedInput::start(const Position& record, std::int64_t position) {
  const std::int64_t low = require_kept(record);
  const std::int64_t from = position == kUnknownOffset ? record.offset : position;
  queues_->start(record.partition, std::max(from, low));
  held_[record.partition].reset();
}

// The next record of the partition; null if there is none before `upto`.
KafkaMessage OrderedInput::next(const TopicPartition& partition, std::int64_t upto) {
  KafkaMessage& held = held_[partition];
  if (held) return std::move(held);
  while (true) {
    if (retry_.stop() || ended_()) throw Stopped();
    KafkaMessage message = queues_->poll(partition, kPollMs);
    if (!message) continue;
    switch (message->err) {
      case RD_KAFKA_RESP_ERR_NO_ERROR:
        return message;
      case RD_KAFKA_RESP_ERR__PARTITION_EOF:
        if (message->offset >= upto) return {};
        require_kept({partition, upto});
        break;
      case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
        queues_->start(partition, require_kept({partition, upto}));
        break;
      default:
        on_read_error(to_text(partition), *message, errors_);
    }
  }
}

KafkaMessage OrderedInput::take(const Position& record, std::int64_t position) {
  if (!held_.contains(record.partition)) start(record, position);
  KafkaMessage message = next(record.partition, record.offset + 1);
  if (!message || message->offset > record.offset) {
    refuse(fmt::format("the record at offset {} of {} was flagged but is no longer there: {}",
                       record.offset, to_text(record.partition),
                       message ? fmt::format("the next one there is offset {}", message->offset)
                               : "the topic ends there"));
  }
  if (message->offset < record.offset) {
    refuse_unflagged(record.partition, message->offset, record.offset);
  }
  return message;
}

void OrderedInput::require_none(const Position& end, std::int64_t position) {
  if (position >= end.offset) return;
  if (!held_.contains(end.partition)) {
    if (position == kUnknownOffset) return;
    start(end, position);
  }
  const KafkaMessage message = next(end.partition, end.offset);
  if (message && message->offset < end.offset) {
    refuse_unflagged(end.partition, message->offset, end.offset);
  }
}

}  // namespace neardup
