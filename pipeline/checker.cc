#include "pipeline/checker.h"

#include "pipeline/resolve.h"

namespace neardup {
namespace {

// A resolver lives for one chunk or record: it shall begin quickly.
FilterOptions small_caches(FilterOptions filter) {
  filter.sketch_bytes = std::uint64_t{64} << 10;
  filter.row_bytes = std::uint64_t{1} << 20;
  return filter;
}

template <class Value>
void copy_row(const Value* row, std::size_t values, std::vector<Value>& to) {
  to.assign(row, row + values);
}

// Record i, as a separate chunk.
SketchedBatch record_of(const SketchedBatch& chunk, std::size_t i) {
  SketchedBatch one;
  one.records = {chunk.records[i]};
  one.content = {chunk.content[i]};
  one.tokens = {chunk.tokens[i]};
  one.text_bytes = {chunk.text_bytes[i]};
  one.has_sketch = {chunk.has_sketch[i]};
  one.texts.push(chunk.texts.text(i));
  const SketchShape& shape = one.rows.shape = chunk.rows.shape;
  copy_row(chunk.rows.sketch(i), shape.sketch_words(), one.rows.sketches);
  copy_row(chunk.rows.one_bit(i), shape.one_bit_words(), one.rows.one_bits);
  copy_row(chunk.rows.buckets(i), shape.bands, one.rows.band_keys);
  one.rows.distinct_shingles = {chunk.rows.distinct_shingles[i]};
  return one;
}

}  // namespace

void Checker::begin(Resolver& resolver, const SketchedBatch& chunk) const {
  if (verdicts_) resolver.tell_verdicts();
  resolver.known().prepare(chunk);
}

Checker::Checker(const Rule& rule, const FilterOptions& filter, const CpuOptions& cpu,
                 bool verdicts, Store& store)
    : rule_(rule), filter_(small_caches(filter)), cpu_(cpu), verdicts_(verdicts), store_(store) {}

// Most records of a chunk share a resolver. In the eyes of one that has decided a new version, the
// older one has ended, and after a record that moves stream time documents have expired, which
// other records must not see: such a record, and all behind one that was not expected, get a
// separate resolver.
void Checker::check(const SketchedBatch& chunk, std::vector<Flag>& flags) const {
  Resolver shared(rule_, filter_, cpu_, KeepTexts::kNone, store_);
  begin(shared, chunk);
  bool spent = false;
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    Flag& flag = flags.emplace_back();
    if (!spent && !shared.ends_version(chunk, i)) {
      spent = !shared.check(chunk, i, flag);
      continue;
    }
    const SketchedBatch one = record_of(chunk, i);
    Resolver own(rule_, filter_, cpu_, KeepTexts::kNone, store_);
    begin(own, one);
    own.check(one, 0, flag);
  }
}

}  // namespace neardup
