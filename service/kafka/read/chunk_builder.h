// Copies records with all that belongs to them into one chunk that owns every byte.
#pragma once

#include "pipeline/ports.h"

namespace neardup {

class ChunkBuilder {
 public:
  // Empties `chunk`, which must outlive this and stay where it is.
  explicit ChunkBuilder(RawChunk& chunk);

  // Copies. The record's views are good in the chunk after `seal`.
  void add(const RawRecord& record);
  void seal();

 private:
  RawChunk& chunk_;
};

}  // namespace neardup
