#include "service/cluster/log_chunk.h"

#include <utility>

namespace neardup {
namespace {

template <class T>
void erase_front(std::vector<T>& values, std::size_t count) {
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
}

TextBatch without_first(const TextBatch& texts, std::size_t count) {
  TextBatch rest;
  for (std::size_t i = count; i < texts.size(); ++i) rest.push(texts.text(i));
  return rest;
}

}  // namespace

void drop_first(LogChunk& chunk, std::size_t records) {
  SketchedBatch& batch = chunk.batch;
  SketchRows& rows = batch.rows;
  batch.texts = without_first(batch.texts, records);
  erase_front(batch.records, records);
  erase_front(batch.content, records);
  erase_front(batch.tokens, records);
  erase_front(batch.text_bytes, records);
  erase_front(batch.has_sketch, records);
  erase_front(rows.sketches, records * rows.shape.sketch_words());
  erase_front(rows.one_bits, records * rows.shape.one_bit_words());
  erase_front(rows.band_keys, records * rows.shape.bands);
  erase_front(rows.distinct_shingles, records);
  if (!chunk.traces.empty()) erase_front(chunk.traces, records);
}

}  // namespace neardup
