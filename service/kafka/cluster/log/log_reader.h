// Reads the messages of the log of a cluster from an offset on.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "config/service_options.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/cluster/log/undecided_log.h"
#include "service/kafka/cluster/topic_reader.h"
#include "service/kafka/read/consumer.h"
#include "service/log/log.h"

namespace neardup {

// Throws Failure(kUnavailable) with both offsets when `topic`, which has one partition, begins
// behind `offset` by now. `who`: whose offset it is, such as "the shard". Throws Stopped.
void require_messages_from(const Consumer& consumer, const std::string& topic, std::int64_t offset,
                           std::string_view who, RetryPolicy& retry);

// One thread.
class LogReader {
 public:
  // `consumer` and `log` must outlive this.
  LogReader(const Consumer& consumer, const ClusterOptions& options, std::int64_t offset, Log& log);

  // Gives messages to `undecided` until none comes in time, or it has the records below `most`.
  // True: there was one. Throws as TopicReader::poll and UndecidedLog::take do.
  bool read(std::chrono::milliseconds wait, Seq most, UndecidedLog& undecided);

 private:
  TopicReader reader_;
};

}  // namespace neardup
