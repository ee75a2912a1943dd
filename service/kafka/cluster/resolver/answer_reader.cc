#include "service/kafka/cluster/resolver/answer_reader.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>
#include <vector>

#include "service/cluster/placement.h"
#include "service/kafka/read/reading.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBetweenLooks{100};  // while a partition has no leader

std::vector<TopicPartition> partitions_of(const std::string& topic) {
  std::vector<TopicPartition> partitions;
  for (std::uint32_t shard = 0; shard < kMostShards; ++shard) {
    partitions.push_back({topic, static_cast<std::int32_t>(shard)});
  }
  return partitions;
}

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
      log_(retry.log(), kBetweenReadErrors) {
  start();
}

void AnswerReader::start() {
  Positions ends;
  while (ends.size() < kMostShards) {
    retry_.until_done("looking up offsets", [&] { ends = consumer_.ends(partitions_of(topic_)); });
    if (ends.size() < kMostShards) retry_.pause(kBetweenLooks);
  }
  reader_ = consumer_.read(ends);
  is_lost_ = false;
}

bool AnswerReader::read(milliseconds wait, std::size_t most) {
  if (is_lost_) start();
  bool kept = false;
  for (std::size_t taken = 0; taken < most; ++taken) {
    const KafkaMessage message = reader_->poll(taken == 0 ? static_cast<int>(wait.count()) : 0);
    if (!message) break;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      kept = take(*message) || kept;
    } else if (message->err != RD_KAFKA_RESP_ERR__PARTITION_EOF) {
      on_error(*message);
    }
  }
  return kept;
}

bool AnswerReader::take(const rd_kafka_message_t& message) {
  const AnswerUse use = book_.take(message.partition, message.offset,
                                   {static_cast<const char*>(message.payload), message.len});
  probe_.answer_read(use);
  if (!is_usual(use)) {
    // Lines are limited by their event: each reason has its own.
    log_.write(LogLevel::kWarning, fmt::format("answer passed over: {}", name_of(use)),
               {{"partition", message.partition}, {"offset", message.offset}});
  }
  return use == AnswerUse::kKept;
}

// The topic was emptied or made anew: answers of before are gone.
void AnswerReader::on_error(const rd_kafka_message_t& message) {
  on_read_error(topic_, message, log_);
  is_lost_ = is_lost_ || message.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET;
}

}  // namespace neardup
