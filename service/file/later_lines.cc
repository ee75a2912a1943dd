#include "service/file/later_lines.h"

namespace neardup {

bool LaterLines::read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) {
  while (!interrupted_ && source_.read(max_records, max_bytes, chunk)) {
    skipped_ += std::erase_if(
        chunk.records, [&](const RawRecord& record) { return record.source.place < first_; });
    if (!chunk.records.empty()) return true;
  }
  chunk.buffer.clear();
  chunk.records.clear();
  return false;
}

}  // namespace neardup
