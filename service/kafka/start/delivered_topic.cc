#include "service/kafka/start/delivered_topic.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/read/reading.h"

namespace neardup {
namespace {

constexpr std::int64_t kFewOffsets = 4096;  // reading this many is as fast as searching further

}  // namespace

DeliveredTopic::DeliveredTopic(const Consumer& consumer, const std::string& topic, Seq first,
                               Parse parse, RetryPolicy& retry)
    : consumer_(consumer),
      first_(first),
      parse_(std::move(parse)),
      retry_(retry),
      errors_(retry.log(), kBetweenReadErrors) {
  const std::int32_t count = await_partition_counts(consumer_, {topic}, retry_).at(topic);
  for (std::int32_t p = 0; p < count; ++p) {
    Partition& partition = partitions_.emplace_back();
    partition.name = {topic, p};
  }
  queues_ = consumer_.queues(partitions_.size());
}

void DeliveredTopic::start_at(Partition& partition, std::int64_t offset) {
  queues_->start(partition.name, offset);
  partition.next = offset;
  partition.end = 0;
  partition.started = true;
}

// Finds the offset by binary search: the pieces of a partition are in the order of their seqs.
void DeliveredTopic::start(Partition& partition) {
  const Watermarks marks = await_watermarks(consumer_, partition.name, retry_);
  std::int64_t before = marks.low;  // no needed piece is before this offset
  std::int64_t behind = marks.high;
  while (behind - before > kFewOffsets) {
    const std::int64_t middle = before + (behind - before) / 2;
    start_at(partition, middle);
    const std::optional<DeliveredPiece> piece = read(partition.name.partition);
    if (!piece || piece->next > first_) {
      behind = middle;
    } else {
      before = std::min(partition.next, behind);
    }
  }
  start_at(partition, before);
}

std::optional<DeliveredPiece> DeliveredTopic::read(std::size_t number) {
  Partition& partition = partitions_[number];
  if (!partition.started) start(partition);
  while (partition.end == 0 || partition.next < partition.end) {
    if (retry_.stop()) throw Stopped();
    const KafkaMessage message = queues_->poll(partition.name, kPollMs);
    if (!message) continue;
    if (partition.end == 0) partition.end = queues_->last_seen_end(partition.name);
    switch (message->err) {
      case RD_KAFKA_RESP_ERR_NO_ERROR:
        partition.next = message->offset + 1;
        if (auto piece = parse_(*message)) return piece;
        break;
      case RD_KAFKA_RESP_ERR__PARTITION_EOF:
        partition.next = message->offset;
        // The partition is empty, or only aborted transactions are left.
        if (message->offset >= queues_->last_seen_end(partition.name)) return {};
        break;
      case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
        throw Failure(Exit::kUnavailable,
                      fmt::format("{} lost messages at offset {} while they were read back: its "
                                  "retention is too short",
                                  to_text(partition.name), partition.next));
      default:
        if (classify(message->err) == ErrorClass::kDenied) {
          throw Failure(Exit::kConfig, fmt::format("kafka: reading {} was refused: {}. An older "
                                                   "state needs READ on this topic",
                                                   to_text(partition.name),
                                                   rd_kafka_message_errstr(message.get())));
        }
        on_read_error(to_text(partition.name), *message, errors_);
    }
  }
  return {};
}

}  // namespace neardup
