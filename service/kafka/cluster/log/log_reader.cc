#include "service/kafka/cluster/log/log_reader.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/cluster/log_decoder.h"
#include "service/kafka/client/handles.h"
#include "service/kafka/read/reading.h"

namespace neardup {
namespace {

[[noreturn]] void refuse_truncated(const TopicPartition& log, std::int64_t wanted,
                                   std::int64_t low) {
  throw Failure(Exit::kUnavailable,
                fmt::format("the cluster has decided up to offset {} of {}, which begins at {} "
                            "now: records between are gone that were never decided",
                            wanted, to_text(log), low));
}

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
    : scan_(consumer.read({{{options.log_topic(), 0}, offset}}), log) {}

bool LogReader::read(std::chrono::milliseconds wait, Seq most, UndecidedLog& undecided) {
  bool any = false;
  while (undecided.next_seq() < most) {
    const KafkaMessage message = scan_.next(any ? std::chrono::milliseconds(0) : wait);
    if (!message) break;
    undecided.take(message->offset, rd_kafka_message_timestamp(message.get(), nullptr),
                   value_of(*message));
    any = true;
  }
  return any;
}

LogPart scan_log(const Consumer& consumer, const std::string& topic, const Decided& from,
                 std::int64_t end, const Rule& rule, const std::string& cluster,
                 const std::function<bool(const LogPart&)>& enough, RetryPolicy& retry) {
  const TopicPartition log{topic, 0};
  LogPart part;
  part.offset = from.offset;
  part.state = from.log;
  if (from.offset >= end) return part;
  const std::int64_t low = await_watermarks(consumer, log, retry).low;
  if (low > from.offset) refuse_truncated(log, from.offset, low);
  TopicScan scan(consumer.read({{log, from.offset}}), retry.log());
  LogDecoder decoder(rule, cluster);
  LogOrder order(from.log);
  LogMessage decoded;
  while (part.offset < end && !enough(part)) {
    const KafkaMessage message = scan.next_below(end, retry);
    if (!message) break;
    const LogTurn turn = order.take(decoder.decode(value_of(*message), decoded), decoded);
    if (turn.outcome == LogOutcome::kNewerFormat) throw newer_log_message(message->offset);
    if (turn.outcome == LogOutcome::kPlacement) part.placement = decoded.placement;
    ++part.messages;
    part.bytes += message->len;
    part.offset = message->offset + 1;
    part.state = order.state();
  }
  return part;
}

std::optional<Placement> find_placement(const Consumer& consumer, const ClusterOptions& options,
                                        const ClusterHead& head, std::uint64_t epoch,
                                        const Rule& rule, RetryPolicy& retry) {
  const auto of_batch = [epoch](const Decided& batch) {
    return batch.log.epoch == epoch ? batch.placement : std::nullopt;
  };
  if (auto found = of_batch(head.last)) return found;
  const auto change = find_epoch(consumer, options, head, epoch, retry);
  if (!change) return {};
  if (auto found = of_batch(change->after)) return found;
  const TopicPartition log{options.log_topic(), 0};
  if (await_watermarks(consumer, log, retry).low > change->before.offset) return {};
  const auto is_there = [&](const LogPart& part) { return part.state.epoch >= epoch; };
  return scan_log(consumer, log.topic, change->before, change->after.offset + 1, rule, head.uuid,
                  is_there, retry)
      .placement;
}

Placement placement_at(const Consumer& consumer, const ClusterOptions& options,
                       const ClusterHead& head, const Decided& decided, const Rule& rule,
                       RetryPolicy& retry) {
  const std::uint64_t epoch = decided.log.epoch;
  if (epoch == 0) return first_placement();
  if (decided.placement) return *decided.placement;
  auto found = find_placement(consumer, options, head, epoch, rule, retry);
  if (found) return *std::move(found);
  throw Failure(Exit::kUnavailable,
                fmt::format("the topics {} and {} no longer have placement {}, so it is not known "
                            "which shards answer: keep the log longer (retention.ms)",
                            options.log_topic(), options.decisions_topic(), epoch));
}

}  // namespace neardup
