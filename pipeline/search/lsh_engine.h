// The engine `lsh`: the documents that share a bucket of LSH with the query, so the documents that
// a flag could name. It reads the index that every state has, and finds near-duplicates only.
#pragma once

#include <memory>

#include "gpu/backend.h"
#include "pipeline/search/engine.h"
#include "storage/store.h"

namespace neardup {

// The store must outlive it. Requires: `nominate` is called by the owner of the store, in one
// thread, with views as of the last commit.
std::unique_ptr<SearchEngine> make_lsh_engine(const SketchPlan& plan, Store& store,
                                              const CpuOptions& cpu);

}  // namespace neardup
