// A decided record → what a store keeps of it.
#pragma once

#include <cstddef>

#include "pipeline/model/sketched_batch.h"
#include "storage/store.h"

namespace neardup {

// The row of record i, which has become the version `version` of its id. Requires: the version has
// a document.
DocumentRow document_row(const SketchedBatch& chunk, std::size_t i, const IdRow& version);

// The document of record i, which has become the version `version` of its id. Its text is a view of
// the chunk; empty unless `keeps_text`. Requires: the version has a document.
DocumentPut document_put(const SketchedBatch& chunk, std::size_t i, const IdRow& version,
                         bool keeps_text);

}  // namespace neardup
