#include "service/kafka/read/decided_batch.h"

#include <algorithm>

#include "service/records/chunk_builder.h"

namespace neardup {

void HeldRecords::add(std::span<const RawRecord* const> records) {
  if (records.empty()) return;
  auto chunk = std::make_unique<RawChunk>();
  ChunkBuilder builder(*chunk);
  for (const RawRecord* record : records) builder.add(*record);
  builder.seal();
  for (const RawRecord& record : chunk->records) {
    by_source_.emplace_hint(by_source_.end(), std::pair(record.source.input, record.source.place),
                            &record);
  }
  chunks_.push_back(std::move(chunk));
}

const RawRecord* HeldRecords::find(const SourcePosition& source) const {
  const auto at = by_source_.find({source.input, source.place});
  return at == by_source_.end() ? nullptr : at->second;
}

void Arrivals::add(const RawChunk& chunk) {
  if (chunk.records.empty()) return;
  runs.push_back({chunk.first_read, chunk.records.size()});
  for (const RawRecord& record : chunk.records) {
    if (record.ts_ms) timestamps_ms.push_back(*record.ts_ms);
  }
}

void Arrivals::tally(std::chrono::steady_clock::time_point now, std::int64_t wall_ms,
                     DeliveredBatchReport& report) const {
  for (const Run& run : runs) {
    const std::chrono::duration<double> time = now - run.first_read;
    report.arrival_to_flag.add(time.count(), run.records);
  }
  for (const std::int64_t timestamp : timestamps_ms) {
    const std::int64_t age = std::max<std::int64_t>(wall_ms - timestamp, 0);  // clocks differ
    report.record_age.add(static_cast<double>(age) / 1e3);
  }
}

}  // namespace neardup
