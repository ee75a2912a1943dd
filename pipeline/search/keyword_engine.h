// The engines `match` and `ewh`: the documents that share keywords with the query, then the
// distance of the 1-bit sketches. They read no document that shares no keyword with the query.
#pragma once

#include <memory>

#include "gpu/options.h"
#include "gpu/search/retried_device.h"
#include "pipeline/search/device_segments.h"
#include "pipeline/search/engine.h"
#include "pipeline/search/keyword_search.h"
#include "storage/similar/keyword_index.h"

namespace neardup {

// Nominates the documents that the search finds and that have not more differing bits than
// documents of the wanted similarity have (most_differing_bits). The index must have the keywords
// of the search. `device`, if not null, has postings for search.probes(); what it does not hold,
// and all while it has failed, is searched on the CPU, with the same result. Throws
// Failure(kConfig) when this machine lacks cpu.simd.
std::unique_ptr<SearchEngine> make_keyword_engine(
    const SketchShape& shape, const KeywordSearch& search, std::shared_ptr<KeywordIndex> index,
    const CpuOptions& cpu, std::unique_ptr<RetriedDevice<DeviceSegments>> device = nullptr);

}  // namespace neardup
