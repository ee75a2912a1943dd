// Where the buckets of the documents of some chunks are among those of the batch: found for all of
// them before the first is decided, each column by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pipeline/base/team.h"
#include "pipeline/match/chunk_parts.h"
#include "pipeline/match/pending.h"

namespace neardup {

class GroupBuckets {
 public:
  // The references must outlive this.
  GroupBuckets(std::uint32_t bands, Pending& pending, Team& team)
      : columns_(std::size_t{1} + bands), pending_(pending), team_(team) {}

  // Finds the buckets of every document of these parts. They are valid until Pending::clear.
  void locate(const ChunkParts& parts);
  // What follows is about the chunk whose first part has this number.
  void select(std::size_t first_part) { first_ = first_part * ChunkPart::kRecords; }

  // The content bucket of record i, a document.
  PendingBuckets::At content(std::size_t i) const { return {0, place(0, i)}; }
  // The bucket of record i, which has a sketch, in band m.
  PendingBuckets::At band(std::size_t i, std::uint32_t m) const {
    return {std::size_t{1} + m, place(1 + m, i)};
  }
  // Does an earlier document of the batch, kept or not, share a band's bucket with record i?
  bool has_company(std::size_t i) const { return company_[first_ + i] != 0; }

 private:
  static constexpr std::uint32_t kShared = std::uint32_t{1} << 31;  // the bucket was there before

  void locate_column(const ChunkParts& parts, std::size_t column);
  void find_company(std::size_t part);
  std::uint32_t place(std::size_t column, std::size_t i) const {
    return columns_[column][first_ + i] & ~kShared;
  }

  std::vector<std::vector<std::uint32_t>> columns_;  // places by record, with kShared
  std::vector<std::uint8_t> company_;                // by record
  Pending& pending_;
  Team& team_;
  std::size_t first_ = 0;  // record of the selected chunk
};

}  // namespace neardup
