// A batch between its decision and its delivery: the flags, and of their messages those that are
// passed on or become dead letters.
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

// Copies of messages, found by where they came from.
class HeldRecords {
 public:
  void add(std::span<const RawRecord* const> records);

  // Or null. Lives as long as this.
  const RawRecord* find(const SourcePosition& source) const;
  std::size_t size() const { return by_source_.size(); }

 private:
  std::vector<std::unique_ptr<RawChunk>> chunks_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, const RawRecord*> by_source_;
};

// When records of a batch came, for metrics. A batch that a crash has left behind tells nothing.
struct Arrivals {
  struct Run {
    std::chrono::steady_clock::time_point first_read;
    std::uint64_t records = 0;
  };
  std::vector<Run> runs;
  std::vector<std::int64_t> timestamps_ms;  // of Kafka, where records have them

  void add(const RawChunk& chunk);
  // How long it took until `now`, `wall_ms` by the clock.
  void tally(std::chrono::steady_clock::time_point now, std::int64_t wall_ms,
             DeliveredBatchReport& report) const;
};

struct DecidedBatch {
  StoredBatch stored;
  HeldRecords held;
  Arrivals arrivals;
};

}  // namespace neardup
