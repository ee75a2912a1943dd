#include "service/kafka/read/topic_scan.h"

#include <fmt/core.h>

#include <utility>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

void require_kept(const rd_kafka_message_t& event) {
  if (event.err != RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) return;
  throw Failure(Exit::kUnavailable,
                fmt::format("topic {} was deleted, or lost messages while they were read: {}. If "
                            "it was recreated, see docs/cluster.md (A topic was recreated)",
                            rd_kafka_topic_name(event.rkt), rd_kafka_message_errstr(&event)));
}

}  // namespace

TopicScan::TopicScan(std::unique_ptr<PartitionReader> reader, Log& log)
    : reader_(std::move(reader)), errors_(log, kBetweenReadErrors) {}

KafkaMessage TopicScan::poll(std::chrono::milliseconds wait) {
  return event_of(reader_->poll(static_cast<int>(wait.count())), errors_);
}

KafkaMessage TopicScan::await(RetryPolicy& retry) {
  while (true) {
    if (retry.stop()) throw Stopped();
    if (KafkaMessage event = poll(kPoll)) return event;
  }
}

KafkaMessage TopicScan::next(std::chrono::milliseconds wait) {
  while (KafkaMessage event = poll(wait)) {
    require_kept(*event);
    if (event->err == RD_KAFKA_RESP_ERR_NO_ERROR) return event;
  }
  return nullptr;
}

KafkaMessage TopicScan::next_below(std::int64_t to, RetryPolicy& retry) {
  KafkaMessage event = await(retry);
  require_kept(*event);
  if (event->err != RD_KAFKA_RESP_ERR_NO_ERROR || event->offset >= to) return nullptr;
  return event;
}

}  // namespace neardup
