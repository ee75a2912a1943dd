#include "service/kafka/read/partition_reader.h"

#include <fmt/core.h>

#include <algorithm>

#include "pipeline/base/failure.h"
#include "service/kafka/client/client_conf.h"
#include "service/kafka/read/partition_list.h"

namespace neardup {
namespace {

constexpr std::size_t kQueuedKbytes = 131'072;  // of all partitions
constexpr std::size_t kLeastKbytes = 1024;
constexpr std::size_t kFetchBytes = std::size_t{1} << 20;

std::map<std::string, std::string> bounded(std::size_t partitions) {
  const std::size_t each = kQueuedKbytes / std::max<std::size_t>(partitions, 1);
  return {{"queued.max.messages.kbytes", std::to_string(std::max(each, kLeastKbytes))},
          {"fetch.message.max.bytes", std::to_string(kFetchBytes)}};
}

}  // namespace

void on_read_error(const rd_kafka_message_t& message, RateLimitedLog& errors) {
  const std::string partition =
      message.rkt == nullptr
          ? std::string()
          : to_text(TopicPartition{rd_kafka_topic_name(message.rkt), message.partition});
  const char* reason = rd_kafka_message_errstr(&message);
  if (classify(message.err) == ErrorClass::kDenied) {
    throw Failure(
        Exit::kConfig,
        fmt::format("kafka: reading {} was refused: {}. Check the credentials, and READ on "
                    "the topic (docs/operations.md lists the permissions)",
                    partition.empty() ? "topics" : partition, reason));
  }
  errors.write(LogLevel::kWarning, "reading from Kafka",
               {{"partition", partition}, {"reason", reason}});
}

KafkaMessage event_of(KafkaMessage message, RateLimitedLog& errors) {
  if (!message) return message;
  switch (message->err) {
    case RD_KAFKA_RESP_ERR_NO_ERROR:
    case RD_KAFKA_RESP_ERR__PARTITION_EOF:
    case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
      return message;
    default:
      on_read_error(*message, errors);
      return nullptr;
  }
}

PartitionReader::PartitionReader(const KafkaOptions& options, ClientEvents& events,
                                 const Positions& positions)
    : client_(make_client(options, ClientRole::kConsumer, events)) {
  check(rd_kafka_assign(client_.get(), make_list(positions, {}).get()), "assigning partitions");
}

KafkaMessage PartitionReader::poll(int timeout_ms) {
  return KafkaMessage(rd_kafka_consumer_poll(client_.get(), timeout_ms));
}

PartitionQueues::PartitionQueues(const KafkaOptions& options, ClientEvents& events,
                                 std::size_t partitions, Log& log)
    : client_(make_client(options, ClientRole::kConsumer, events, bounded(partitions))),
      errors_(log, kBetweenReadErrors) {}

PartitionQueues::~PartitionQueues() {
  for (const auto& [partition, topic] : started_) rd_kafka_consume_stop(topic, partition.partition);
}

void PartitionQueues::start(const TopicPartition& partition, std::int64_t offset) {
  stop(partition);
  Topic& topic = topics_[partition.topic];
  if (!topic) topic.reset(rd_kafka_topic_new(client_.get(), partition.topic.c_str(), nullptr));
  const std::string doing = fmt::format("reading {}", to_text(partition));
  if (!topic) check(rd_kafka_last_error(), doing);
  if (rd_kafka_consume_start(topic.get(), partition.partition, offset) != 0) {
    check(rd_kafka_last_error(), doing);
  }
  started_[partition] = topic.get();
}

void PartitionQueues::stop(const TopicPartition& partition) {
  const auto found = started_.find(partition);
  if (found == started_.end()) return;
  rd_kafka_consume_stop(found->second, partition.partition);
  started_.erase(found);
}

KafkaMessage PartitionQueues::await(const TopicPartition& partition, RetryPolicy& retry) {
  while (true) {
    if (retry.stop()) throw Stopped();
    if (KafkaMessage event = event_of(poll(partition), errors_)) return event;
  }
}

KafkaMessage PartitionQueues::poll(const TopicPartition& partition) {
  KafkaMessage message(rd_kafka_consume(started_.at(partition), partition.partition, kPollMs));
  // Runs the callbacks of the client, which come through its consumer queue.
  if (!message) KafkaMessage(rd_kafka_consumer_poll(client_.get(), 0));
  return message;
}

std::int64_t PartitionQueues::last_seen_end(const TopicPartition& partition) const {
  std::int64_t low = 0;
  std::int64_t high = 0;
  const auto error = rd_kafka_get_watermark_offsets(client_.get(), partition.topic.c_str(),
                                                    partition.partition, &low, &high);
  return error == RD_KAFKA_RESP_ERR_NO_ERROR ? std::max<std::int64_t>(high, 0) : 0;
}

}  // namespace neardup
