#pragma once

#include <cstdint>
#include <string_view>

#include "pipeline/core/sketched_batch.h"

namespace neardup {

// A document with a sketch that looks for its original.
struct Query {
  std::string_view name_space;
  const std::uint64_t* sketch = nullptr;
  const std::uint64_t* one_bit = nullptr;
  std::uint32_t distinct_shingles = 0;
  std::string_view text;  // normalised; looked at by exact verification only
};

// Record i of a chunk, which must outlive it.
inline Query query_of(const SketchedBatch& chunk, std::size_t i, const SketchShape& shape) {
  return {chunk.records[i].name_space, chunk.rows.sketches.data() + i * shape.sketch_words(),
          chunk.rows.one_bit.data() + i * shape.one_bit_words(), chunk.rows.distinct_shingles[i],
          chunk.texts.text(i)};
}

}  // namespace neardup
