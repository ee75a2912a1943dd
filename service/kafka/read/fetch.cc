#include "service/kafka/read/fetch.h"

#include <fmt/core.h>

#include <chrono>
#include <map>
#include <set>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/model/text_batch.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/message/message_decoder.h"
#include "service/kafka/message/message_record.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/read/partition_reader.h"
#include "service/kafka/read/reading.h"
#include "service/kafka/read/topic_scan.h"
#include "service/records/record_checks.h"

namespace neardup {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kLongestFetch{10};  // for the message of a text

// The offsets to read, by the place of their partition.
using Wanted = std::map<std::uint32_t, std::set<std::uint64_t>>;

Wanted wanted_by(const StoredBatch& batch, const AnswerMode& mode) {
  Wanted wanted;
  for (const Flag& flag : batch.flags) {
    if (needs_record(mode, flag)) wanted[flag.source.input].insert(flag.source.place);
  }
  return wanted;
}

class Reader {
 public:
  Reader(const Consumer& consumer, const TopicIds& others, RetryPolicy& retry, bool skip_gap)
      : consumer_(consumer), others_(others), retry_(retry), skip_gap_(skip_gap) {}

  // Reads the wanted messages of a partition.
  void read(const TopicPartition& partition, std::uint32_t input, std::set<std::uint64_t> offsets) {
    if (others_.contains(partition.topic)) {
      for (const std::uint64_t offset : offsets) skip(partition, offset);
      return;
    }
    while (!offsets.empty()) read_on(partition, input, offsets);
  }

  HeldRecords take() { return std::move(held_); }

 private:
  // Reads until all offsets are found or known to be deleted, or a new reader has to start after a
  // gap.
  void read_on(const TopicPartition& partition, std::uint32_t input,
               std::set<std::uint64_t>& offsets) {
    TopicScan scan(consumer_.read({{partition, static_cast<std::int64_t>(*offsets.begin())}}),
                   retry_.log());
    while (!offsets.empty()) {
      const KafkaMessage event = scan.await(retry_);
      const std::uint64_t gone = gone_before(partition, *event);
      while (!offsets.empty() && *offsets.begin() < gone) {
        skip(partition, *offsets.begin());
        offsets.erase(offsets.begin());
      }
      if (event->err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) return;
      if (event->err != RD_KAFKA_RESP_ERR_NO_ERROR) continue;
      if (offsets.erase(static_cast<std::uint64_t>(event->offset)) != 0) keep(*event, input);
    }
  }

  // Wanted messages before this offset that were not read do not exist any more.
  std::uint64_t gone_before(const TopicPartition& partition, const rd_kafka_message_t& event) {
    return static_cast<std::uint64_t>(event.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET
                                          ? await_watermarks(consumer_, partition, retry_).low
                                          : event.offset);
  }

  void skip(const TopicPartition& partition, std::uint64_t offset) {
    if (!skip_gap_) {
      throw Failure(
          Exit::kUnavailable,
          fmt::format(
              "the message at offset {} of {} is decided but not delivered, and was deleted from "
              "the topic: it cannot be passed on. Raise the retention of the topic. To continue "
              "without it, start once with --skip-gap: a dead letter says which one it was.",
              offset, to_text(partition)));
    }
    retry_.log().error("message gone", {{"partition", to_text(partition)}, {"offset", offset}});
  }

  void keep(const rd_kafka_message_t& message, std::uint32_t input) {
    const RawRecord record = make_record(message, input, SIZE_MAX, headers_);
    const RawRecord* one[] = {&record};
    held_.add(one);
  }

  const Consumer& consumer_;
  const TopicIds& others_;
  RetryPolicy& retry_;
  const bool skip_gap_;
  HeldRecords held_;
  std::vector<RawHeader> headers_;
};

// The message at the position that the reader begins at, or null: it is not in the topic.
KafkaMessage first_message(PartitionReader& reader, const Position& position,
                           const ClientEvents& events) {
  const auto deadline = steady_clock::now() + kLongestFetch;
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
                            to_text(position.partition), position.offset, kLongestFetch.count()));
}

}  // namespace

HeldRecords fetch_records(const StoredBatch& batch, const AnswerMode& mode, bool skip_gap,
                          const TopicIds& others, const Consumer& consumer, RetryPolicy& retry) {
  Reader reader(consumer, others, retry, skip_gap);
  for (auto& [input, offsets] : wanted_by(batch, mode)) {
    reader.read(batch.to.at(input).partition, input, offsets);
  }
  return reader.take();
}

std::string fetch_text(const Config& config, const TopicPartition& partition, std::int64_t offset,
                       Log& log) {
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
