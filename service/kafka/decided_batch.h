// A batch between its decision and its delivery: the flags, and of their messages those that are
// passed on or become dead letters.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "pipeline/ports.h"
#include "service/kafka/stored_batch.h"

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

struct DecidedBatch {
  StoredBatch stored;
  HeldRecords held;
};

}  // namespace neardup
