// A document whose original is looked up, whether it is stored afterwards or not.
#pragma once

#include <cstdint>
#include <string_view>

#include "pipeline/model/sketched_batch.h"

namespace neardup {

struct Query {
  std::string_view name_space;
  const std::uint64_t* sketch = nullptr;   // zeros where the document has no sketch
  const std::uint64_t* one_bit = nullptr;  // the packed 1-bit sketch
  std::uint32_t distinct_shingles = 0;
  std::string_view text;  // normalised; only exact verification reads it
};

// Record i of `chunk`. Valid as long as the chunk.
inline Query query_of(const SketchedBatch& chunk, std::size_t i) {
  return {chunk.records[i].name_space, chunk.rows.sketch(i), chunk.rows.one_bit(i),
          chunk.rows.distinct_shingles[i], chunk.texts.text(i)};
}

}  // namespace neardup
