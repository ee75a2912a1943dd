#include "service/kafka/cluster/log/log_scan.h"

#include <fmt/core.h>

#include <string_view>

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

[[noreturn]] void refuse_newer(const std::string& topic, std::int64_t offset) {
  throw Failure(
      Exit::kUnavailable,
      fmt::format("topic {}: the message at offset {} has a newer format: this program is "
                  "older than the one that wrote it",
                  topic, offset));
}

}  // namespace

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
  const auto reader = consumer.read({{log, from.offset}});
  RateLimitedLog errors(retry.log(), kBetweenReadErrors);
  LogDecoder decoder(rule, cluster);
  LogOrder order(from.log);
  LogMessage decoded;
  while (part.offset < end && !enough(part)) {
    if (retry.stop()) throw Stopped();
    const KafkaMessage message = reader->poll(kPollMs);
    if (!message) continue;
    if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) break;
    if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
      on_read_error(to_text(log), *message, errors);
      continue;
    }
    if (message->offset >= end) break;
    const std::string_view bytes(static_cast<const char*>(message->payload), message->len);
    const LogTurn turn = order.take(decoder.decode(bytes, decoded), decoded);
    if (turn.outcome == LogOutcome::kNewerFormat) refuse_newer(topic, message->offset);
    if (turn.outcome == LogOutcome::kPlacement) part.placement = decoded.placement;
    ++part.messages;
    part.bytes += message->len;
    part.offset = message->offset + 1;
    part.state = order.state();
  }
  return part;
}

}  // namespace neardup
