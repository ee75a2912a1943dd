// Copies records, with keys and headers, into one chunk that owns all their bytes.
#pragma once

#include "pipeline/ports.h"

namespace neardup {

class ChunkBuilder {
 public:
  // Empties `chunk`, which must outlive this and stay where it is.
  explicit ChunkBuilder(RawChunk& chunk);

  // Copies a record. The views of its copy in the chunk are valid only after `seal`.
  void add(const RawRecord& record);
  void seal();

 private:
  RawChunk& chunk_;
};

}  // namespace neardup
