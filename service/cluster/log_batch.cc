#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "service/cluster/log_decoder.h"

namespace neardup {
namespace {

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void append(SketchedBatch&& from, SketchedBatch& to) {
  if (to.size() == 0) {
    to = std::move(from);
    return;
  }
  std::ranges::move(from.records, std::back_inserter(to.records));
  append(from.content, to.content);
  append(from.tokens, to.tokens);
  append(from.text_bytes, to.text_bytes);
  append(from.has_sketch, to.has_sketch);
  append(from.rows.sketches, to.rows.sketches);
  append(from.rows.one_bits, to.rows.one_bits);
  append(from.rows.band_keys, to.rows.band_keys);
  append(from.rows.distinct_shingles, to.rows.distinct_shingles);
  for (std::size_t i = 0; i < from.texts.size(); ++i) to.texts.push(from.texts.text(i));
  to.input_bytes += from.input_bytes;
}

}  // namespace neardup
