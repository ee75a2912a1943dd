#include "service/kafka/cluster/resolver/answer_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "service/kafka/read/reading.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;

// Of a shard that is added: it may have read its placement, and answered, before this process.
constexpr std::int64_t kBefore = 1000;

std::string_view name_of(AnswerUse use) { return names(use)[static_cast<std::size_t>(use)]; }

// What happens in every cluster: replicas answer the same, shards answer again, or have nothing to
// answer.
bool is_usual(AnswerUse use) {
  return use == AnswerUse::kKept || use == AnswerUse::kLate || use == AnswerUse::kIdle;
}

}  // namespace

AnswerReader::AnswerReader(const Consumer& consumer, std::string topic, AnswerBook& book,
                           ResolverProbe& probe, RetryPolicy& retry)
    : consumer_(consumer),
      topic_(std::move(topic)),
      book_(book),
      probe_(probe),
      retry_(retry),
      log_(retry.log(), kBetweenReadErrors) {}

void AnswerReader::follow(const std::vector<std::uint32_t>& shards) {
  std::vector<TopicPartition> added;
  for (const std::uint32_t shard : shards) {
    const TopicPartition partition{topic_, static_cast<std::int32_t>(shard)};
    if (!next_.contains(partition)) added.push_back(partition);
  }
  if (!added.empty()) read_on(find(added, next_.empty() ? 0 : kBefore));
}

// Positions so many messages before the ends.
Positions AnswerReader::find(const std::vector<TopicPartition>& partitions, std::int64_t before) {
  Positions positions;
  for (const TopicPartition& partition : partitions) {
    const Watermarks marks = await_watermarks(consumer_, partition, retry_);
    positions.push_back({partition, std::max(marks.high - before, marks.low)});
  }
  return positions;
}

std::vector<TopicPartition> AnswerReader::followed() const {
  std::vector<TopicPartition> partitions;
  for (const auto& [partition, offset] : next_) partitions.push_back(partition);
  return partitions;
}

// From these positions, and from where the other partitions stand.
void AnswerReader::read_on(const Positions& positions) {
  for (const Position& position : positions) next_[position.partition] = position.offset;
  Positions all;
  for (const auto& [partition, offset] : next_) all.push_back({partition, offset});
  scan_ = std::make_unique<TopicScan>(consumer_.read(all), retry_.log());
  is_lost_ = false;
}

bool AnswerReader::read(milliseconds wait, std::size_t most) {
  if (is_lost_) read_on(find(followed(), 0));
  bool kept = false;
  for (std::size_t taken = 0; taken < most; ++taken) {
    const KafkaMessage message = scan_->poll(taken == 0 ? wait : milliseconds(0));
    if (!message) break;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      kept = take(*message) || kept;
    } else if (message->err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) {
      // The topic was emptied or recreated: previous answers are gone.
      on_read_error(*message, log_);
      is_lost_ = true;
    }
  }
  return kept;
}

bool AnswerReader::take(const rd_kafka_message_t& message) {
  next_[{topic_, message.partition}] = message.offset + 1;
  const AnswerUse use = book_.take(message.partition, message.offset, value_of(message));
  probe_.answer_read(use);
  if (!is_usual(use)) {
    // Lines are limited by their event: each reason has its own.
    log_.write(LogLevel::kWarning, fmt::format("answer skipped: {}", name_of(use)),
               {{"partition", message.partition}, {"offset", message.offset}});
  }
  return use == AnswerUse::kKept;
}

}  // namespace neardup
