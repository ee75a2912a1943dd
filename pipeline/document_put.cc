#include "pipeline/document_put.h"

#include <utility>

#include "pipeline/model/query.h"

namespace neardup {

DocumentRow document_row(const SketchedBatch& chunk, std::size_t i, const IdRow& version) {
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
  if (chunk.has_sketch[i] != 0) {
    row.sketch.assign(query.sketch, query.sketch + chunk.rows.shape.sketch_words());
  }
  return row;
}

DocumentPut document_put(const SketchedBatch& chunk, std::size_t i, const IdRow& version,
                         bool keeps_text) {
  const SketchShape& shape = chunk.rows.shape;
  IndexEntry index;
  if (chunk.has_sketch[i] != 0) {
    const std::uint64_t* buckets = chunk.rows.buckets(i);
    const std::uint64_t* one_bit = chunk.rows.one_bit(i);
    index.buckets.assign(buckets, buckets + shape.bands);
    index.one_bit.assign(one_bit, one_bit + shape.one_bit_words());
  }
  return {document_row(chunk, i, version), keeps_text ? chunk.kept_text(i) : std::string_view{},
          std::move(index)};
}

}  // namespace neardup
