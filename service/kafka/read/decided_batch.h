// A batch between its decision and its delivery: the flags, and the messages that are passed on or
// become dead letters.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "metrics/kafka_probe.h"
#include "pipeline/ports.h"
#include "service/kafka/store/stored_batch.h"

namespace neardup {

// Copies of messages by their source position.
class HeldRecords {
 public:
  void add(std::span<const RawRecord* const> records);

  // The copy, or null. Valid as long as this.
  const RawRecord* find(const SourcePosition& source) const;
  std::size_t size() const { return by_source_.size(); }

 private:
  std::vector<std::unique_ptr<RawChunk>> chunks_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, const RawRecord*> by_source_;
};

// When the records of a batch arrived, for metrics. Empty for a batch that is sent after a restart.
struct Arrivals {
  struct Run {
    std::chrono::steady_clock::time_point first_read;
    std::uint64_t records = 0;
  };
  std::vector<Run> runs;
  std::vector<std::int64_t> timestamps_ms;  // Kafka's, of records that have one

  void add(const RawChunk& chunk);
  // Adds the times from arrival and from the timestamps to `now`, which is `wall_ms` since 1970.
  void tally(std::chrono::steady_clock::time_point now, std::int64_t wall_ms,
             DeliveredBatchReport& report) const;
};

struct DecidedBatch {
  StoredBatch stored;
  HeldRecords held;
  Arrivals arrivals;
};

}  // namespace neardup
