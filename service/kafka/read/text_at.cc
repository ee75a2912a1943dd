#include "service/kafka/read/text_at.h"

#include <fmt/core.h>

#include <chrono>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/model/text_batch.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/message/message_decoder.h"
#include "service/kafka/message/message_record.h"
#include "service/kafka/read/partition_reader.h"
#include "service/records/record_checks.h"

namespace neardup {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{10};

// The message at the position that the reader begins at, or null: it is not in the topic.
KafkaMessage first_message(PartitionReader& reader, const Position& position,
                           const ClientEvents& events) {
  const auto deadline = steady_clock::now() + kPatience;
  while (steady_clock::now() < deadline) {
    if (const std::string denial = events.denial(); !denial.empty())
      throw Failure(Exit::kConfig, "the brokers deny the connection: " + denial);
    KafkaMessage message = reader.poll(kPollMs);
    if (!message) continue;
    switch (message->err) {
      case RD_KAFKA_RESP_ERR_NO_ERROR:
        return message->offset == position.offset ? std::move(message) : KafkaMessage();
      case RD_KAFKA_RESP_ERR__PARTITION_EOF:
      case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
      case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
      case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
        return KafkaMessage();
      default:
        break;  // librdkafka tries again
    }
  }
  throw Failure(Exit::kUnavailable,
                fmt::format("{} offset {}: no broker gave the message within {} s",
                            to_text(position.partition), position.offset, kPatience.count()));
}

}  // namespace

std::string kafka_text_at(const Config& config, const TopicPartition& partition,
                          std::int64_t offset, Log& log) {
  const std::string name = fmt::format("{} offset {}", to_text(partition), offset);
  const Position position{partition, offset};
  ClientEvents events(log);
  PartitionReader reader(config.kafka, events, {position});
  // Destroyed before the reader, which waits for its messages.
  const KafkaMessage message = first_message(reader, position, events);
  if (!message) throw Failure(Exit::kUnreadable, name + ": the topic has no such message");
  std::vector<RawHeader> headers;
  RawRecord raw = make_record(*message, 0, config.input.max_record_bytes, headers);
  std::string padded(raw.bytes);
  padded.append(kTextPadding, '\0');
  raw.bytes = std::string_view(padded).substr(0, raw.bytes.size());
  std::string_view text;
  const Record record = MessageDecoder(config.input, config.text).decode(raw, text);
  return text_of(record, text, name);
}

}  // namespace neardup
