#include <memory>

#include "gpu/backends.h"
#include "pipeline/prepare.h"
#include "python/binding/column_source.h"
#include "python/binding/session.h"

namespace neardup {

Sketches sketch_texts(const Columns& columns, const std::vector<std::string>& sets) {
  std::vector<std::string> warnings;
  const auto [config, rule] = settings_of(sets, true, {}, warnings);
  const auto backend = make_backend(config.backend_options(), rule.plan);
  Preparer preparer(rule, config.cpu.simd,
                    std::make_unique<ColumnDecoder>(config.input, config.text), *backend);
  const SketchShape shape = rule.plan.shape();
  Sketches all{shape.slots, shape.bits, shape.sketch_words(), shape.bands, {}, {}, {}};
  ColumnSource source(columns, 1);
  const CallSize call = backend->preferred_call();
  RawChunk chunk;
  SketchedBatch batch;
  while (source.read(call.documents, call.bytes, chunk)) {
    preparer.prepare(chunk, batch);
    const SketchRows& rows = batch.rows;
    all.sketches.insert(all.sketches.end(), rows.sketches.begin(), rows.sketches.end());
    all.buckets.insert(all.buckets.end(), rows.band_keys.begin(), rows.band_keys.end());
    all.has_sketch.insert(all.has_sketch.end(), batch.has_sketch.begin(), batch.has_sketch.end());
  }
  return all;
}

}  // namespace neardup
