#include "service/kafka/read_again.h"

#include <fmt/core.h>

#include <map>
#include <set>

#include "pipeline/core/failure.h"
#include "service/kafka/message_record.h"
#include "service/kafka/message_writer.h"

namespace neardup {
namespace {

constexpr int kPollMs = 100;

// Offsets that are wanted, by place of their partition.
using Wanted = std::map<std::uint32_t, std::set<std::uint64_t>>;

Wanted wanted_by(const StoredBatch& batch, OutputMode mode) {
  Wanted wanted;
  for (const Flag& flag : batch.flags) {
    if (needs_record(mode, flag)) wanted[flag.source.input].insert(flag.source.place);
  }
  return wanted;
}

[[noreturn]] void gone(const TopicPartition& partition, std::uint64_t offset) {
  throw Failure(Exit::kUnavailable,
                fmt::format("the message at offset {} of {} is decided but not delivered, and is "
                            "gone from the topic: it cannot be passed on. Raise the retention of "
                            "the topic; to go on without it, start once with "
                            "--set output.mode=flags",
                            offset, to_text(partition)));
}

// One partition at a time, from its first wanted message to its last.
void read_partition(const TopicPartition& partition, std::uint32_t input,
                    std::set<std::uint64_t> offsets, Consumer& consumer, Patience& patience,
                    HeldRecords& held) {
  consumer.assign({{partition, static_cast<std::int64_t>(*offsets.begin())}});
  std::vector<RawHeader> headers;
  while (!offsets.empty()) {
    if (patience.stop()) throw Stopped();
    const KafkaMessage message = consumer.poll(kPollMs);
    if (!message) continue;
    const bool lost = message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF ||
                      message->err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET;
    if (lost) gone(partition, *offsets.begin());
    if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) continue;
    const auto offset = static_cast<std::uint64_t>(message->offset);
    if (offset > *offsets.begin()) gone(partition, *offsets.begin());
    if (offsets.erase(offset) == 0) continue;
    const RawRecord record = make_record(*message, input, SIZE_MAX, headers);
    const RawRecord* one[] = {&record};
    held.add(one);
  }
}

}  // namespace

HeldRecords read_again(const StoredBatch& batch, OutputMode mode, Consumer& consumer,
                       Patience& patience) {
  HeldRecords held;
  for (auto& [input, offsets] : wanted_by(batch, mode)) {
    read_partition(batch.to.at(input).partition, input, offsets, consumer, patience, held);
  }
  return held;
}

}  // namespace neardup
