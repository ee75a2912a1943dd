#include "service/kafka/decided_batch.h"

#include "service/kafka/chunk_builder.h"

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

}  // namespace neardup
