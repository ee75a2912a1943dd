#include "service/kafka/cluster/decisions_reader.h"

#include <fmt/core.h>

#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/cluster/cluster_head.h"

namespace neardup {

void require_successive(const DecidedMessage& message, Seq next) {
  if (message.decided.first == next) return;
  throw Failure(Exit::kUnavailable,
                fmt::format("the message of the topic of decisions at offset {} begins with record "
                            "{}, and the one before it ends before record {}: messages between are "
                            "missing, or another program has written to the topic, which only "
                            "deciders and resolvers of the cluster may",
                            message.offset, message.decided.first, next));
}

DecisionsReader::DecisionsReader(const Consumer& consumer, const ClusterOptions& options,
                                 std::string cluster, std::int64_t offset, Log& log)
    : cluster_(std::move(cluster)),
      scan_(consumer.read({{{options.decisions_topic(), 0}, offset}}), log) {}

std::optional<DecidedMessage> DecisionsReader::poll(std::chrono::milliseconds wait) {
  const KafkaMessage message = scan_.next(wait);
  if (!message) return {};
  return DecidedMessage{read_decided(*message, cluster_), message->offset};
}

}  // namespace neardup
