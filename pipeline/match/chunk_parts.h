// The records of some chunks, in parts that one thread each looks up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "pipeline/model/sketched_batch.h"

namespace neardup {

// Records [begin, end) of a chunk.
struct ChunkPart {
  static constexpr std::size_t kRecords = 256;  // the last of a chunk has less

  const SketchedBatch* chunk;
  std::size_t begin;
  std::size_t end;
};

class ChunkParts {
 public:
  // The chunks must outlive the use of the parts.
  void assign(std::span<const SketchedBatch* const> chunks) {
    parts_.clear();
    first_.clear();
    for (const SketchedBatch* chunk : chunks) {
      first_.push_back(parts_.size());
      for (std::size_t begin = 0; begin < chunk->size(); begin += ChunkPart::kRecords) {
        parts_.push_back({chunk, begin, std::min(chunk->size(), begin + ChunkPart::kRecords)});
      }
    }
  }

  std::size_t size() const { return parts_.size(); }
  const ChunkPart& operator[](std::size_t number) const { return parts_[number]; }
  // The number of the first part of chunk n.
  std::size_t first_of(std::size_t n) const { return first_[n]; }

 private:
  std::vector<ChunkPart> parts_;
  std::vector<std::size_t> first_;  // of each chunk
};

}  // namespace neardup
