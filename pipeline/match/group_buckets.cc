#include "pipeline/match/group_buckets.h"

#include <algorithm>

#include "storage/prefetch.h"

namespace neardup {
namespace {

// The key of the bucket of record i in a column. False: it has none.
bool key_of(const SketchedBatch& chunk, std::size_t i, std::size_t column, std::uint64_t& key) {
  if (column == 0) {
    const Record& record = chunk.records[i];
    if (record.kind != RecordKind::kDocument) return false;
    key = content_bucket(chunk.content[i], record.name_space).key;
    return true;
  }
  if (chunk.has_sketch[i] == 0) return false;
  key = chunk.rows.buckets(i)[column - 1];
  return true;
}

constexpr std::size_t kRecordsAhead = 8;  // whose buckets are prefetched

}  // namespace

void GroupBuckets::locate(const ChunkParts& parts) {
  const std::size_t records = parts.size() * ChunkPart::kRecords;
  pending_.reserve_columns(columns_.size());
  for (std::vector<std::uint32_t>& column : columns_) column.resize(records);
  company_.resize(records);
  if (parts.size() > 1) {
    team_.share_out(columns_.size(), [&](std::size_t column) { locate_column(parts, column); });
    team_.share_out(parts.size(), [&](std::size_t part) { find_company(part); });
    return;
  }
  for (std::size_t column = 0; column < columns_.size(); ++column) locate_column(parts, column);
  for (std::size_t part = 0; part < parts.size(); ++part) find_company(part);
}

void GroupBuckets::locate_column(const ChunkParts& parts, std::size_t column) {
  BucketColumn& buckets = pending_.column(column);
  std::vector<std::uint32_t>& places = columns_[column];
  for (std::size_t number = 0; number < parts.size(); ++number) {
    const auto [chunk, begin, end] = parts[number];
    std::uint32_t* const to = places.data() + number * ChunkPart::kRecords;
    std::uint64_t key = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (i + kRecordsAhead < end && key_of(*chunk, i + kRecordsAhead, column, key)) {
        prefetch(buckets.address(key));
      }
      to[i - begin] = 0;
      if (!key_of(*chunk, i, column, key)) continue;
      bool is_new = false;
      const std::uint32_t place = buckets.make(key, is_new);
      to[i - begin] = is_new ? place : place | kShared;
    }
  }
}

void GroupBuckets::find_company(std::size_t part) {
  const std::size_t from = part * ChunkPart::kRecords;
  std::fill_n(company_.begin() + static_cast<std::ptrdiff_t>(from), ChunkPart::kRecords, 0);
  for (std::size_t column = 1; column < columns_.size(); ++column) {
    const std::uint32_t* const places = columns_[column].data() + from;
    for (std::size_t i = 0; i < ChunkPart::kRecords; ++i) {
      company_[from + i] |= static_cast<std::uint8_t>(places[i] / kShared);
    }
  }
}

}  // namespace neardup
