#include "pipeline/rule/index_entry.h"

#include "gpu/cpu/sketcher.h"
#include "gpu/hd/pack.h"
#include "gpu/keys.h"

namespace neardup {

IndexEntryMaker::IndexEntryMaker(const SketchPlan& plan)
    : plan_(plan), keys_of_bands_(make_band_keys(plan)) {}

IndexEntry IndexEntryMaker::operator()(const DocumentRow& row) const {
  IndexEntry entry;
  if (row.sketch.empty()) return entry;
  entry.buckets.resize(plan_.bands);
  entry.one_bit.resize(plan_.shape().one_bit_words());
  band_keys(plan_, keys_of_bands_, row.sketch.data(),
            hash_namespace(plan_.sketch.seed, row.name_space), entry.buckets.data());
  pack_one_bit(plan_, row.sketch.data(), entry.one_bit.data());
  return entry;
}

}  // namespace neardup
