#include "service/kafka/cluster/decisions_reader.h"

#include <fmt/core.h>

#include <utility>

#include "pipeline/core/failure.h"
#include "service/kafka/cluster/cluster_head.h"
#include "service/kafka/read/reading.h"

namespace neardup {

void require_successive(const DecidedMessage& message, Seq next) {
  if (message.decided.first == next) return;
  throw Failure(Exit::kUnavailable,
                fmt::format("the message of the topic of decisions at offset {} begins with record "
                            "{}, and the one before it ends before record {}: messages between are "
                            "missing",
                            message.offset, message.decided.first, next));
}

DecisionsReader::DecisionsReader(const Consumer& consumer, const ClusterOptions& options,
                                 std::string cluster, std::int64_t offset, Log& log)
    : topic_(options.decisions_topic()),
      cluster_(std::move(cluster)),
      errors_(log, kBetweenReadErrors),
      reader_(consumer.read({{{topic_, 0}, offset}})) {}

std::optional<DecidedMessage> DecisionsReader::poll(std::chrono::milliseconds wait) {
  while (const KafkaMessage message = reader_->poll(static_cast<int>(wait.count()))) {
    switch (message->err) {
      case RD_KAFKA_RESP_ERR_NO_ERROR:
        return DecidedMessage{read_decided(*message, cluster_), message->offset};
      case RD_KAFKA_RESP_ERR__PARTITION_EOF:
        break;
      default:
        require_kept(*message);
        on_read_error(topic_, *message, errors_);
    }
  }
  return {};
}

}  // namespace neardup
