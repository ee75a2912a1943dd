// Reads the topic of decisions of a cluster, one message after the other.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "config/service_options.h"
#include "service/cluster/decided.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/topic_scan.h"
#include "service/log/log.h"

namespace neardup {

struct DecidedMessage {
  Decided decided;
  std::int64_t offset = 0;
};

// Throws Failure(kUnavailable), with both seqs, when the records of `message` do not begin with
// `next`: messages between are missing.
void require_successive(const DecidedMessage& message, Seq next);

// One thread.
class DecisionsReader {
 public:
  // `cluster`: its uuid. `offset`: of the first message to read, or of one before it that is no
  // message. `consumer` and `log` must outlive this.
  DecisionsReader(const Consumer& consumer, const ClusterOptions& options, std::string cluster,
                  std::int64_t offset, Log& log);

  // The next message; nothing if none comes in time. Throws Failure(kUnavailable) when a message is
  // damaged, of another cluster or of a newer format, or when messages are gone that were not read
  // yet.
  std::optional<DecidedMessage> poll(std::chrono::milliseconds wait);

 private:
  const std::string cluster_;
  TopicScan scan_;
};

}  // namespace neardup
