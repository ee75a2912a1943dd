#include "pipeline/document_put.h"

#include <utility>

#include "pipeline/core/query.h"

namespace neardup {

DocumentPut document_put(const SketchedBatch& chunk, std::size_t i, const IdRow& version,
                         bool keeps_text) {
  const SketchShape& shape = chunk.rows.shape;
  const Query query = query_of(chunk, i);
  DocumentRow row;
  row.seq = version.seq;
  row.id = chunk.records[i].id;
  row.name_space = chunk.records[i].name_space;
  row.time_ms = version.time_ms;
  row.content = version.content;
  row.tokens = chunk.tokens[i];
  row.distinct_shingles = query.distinct_shingles;
  row.text_bytes = chunk.text_bytes[i];
  IndexEntry index;
  if (chunk.has_sketch[i] != 0) {
    const std::uint64_t* buckets = chunk.rows.buckets(i);
    row.sketch.assign(query.sketch, query.sketch + shape.sketch_words());
    index.buckets.assign(buckets, buckets + shape.bands);
    index.one_bit.assign(query.one_bit, query.one_bit + shape.one_bit_words());
  }
  return {std::move(row), keeps_text ? chunk.kept_text(i) : std::string_view{}, std::move(index)};
}

}  // namespace neardup
