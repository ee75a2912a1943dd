// Reads a topic of a cluster that has one partition, from an offset on. No message may be missing.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "service/kafka/client/handles.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/partition_reader.h"
#include "service/log/log.h"

namespace neardup {

// One thread.
class TopicReader {
 public:
  // `consumer` and `log` must outlive this.
  TopicReader(const Consumer& consumer, const std::string& topic, std::int64_t offset, Log& log);

  // The next message, or null if none comes in time. Throws Failure(kUnavailable) when messages are
  // gone that were not read yet, and as on_read_error does.
  KafkaMessage poll(std::chrono::milliseconds wait);

 private:
  const TopicPartition partition_;
  RateLimitedLog errors_;
  const std::unique_ptr<PartitionReader> reader_;
};

}  // namespace neardup
