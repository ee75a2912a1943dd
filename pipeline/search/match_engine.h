// The engine `match`: match-count over postings of keywords (GENIE, Zhou et al. 2018), then the
// distance of the 1-bit sketches. It reads no document that shares no keyword with the query.
#pragma once

#include <memory>

#include "gpu/options.h"
#include "gpu/search/keywords.h"
#include "pipeline/search/engine.h"
#include "storage/similar/keyword_index.h"

namespace neardup {

// Nominated are the documents with `gate` or more keywords of the query, and not more differing
// bits than documents of the wanted similarity have.
struct MatchOptions {
  std::uint32_t keywords = 32;  // or as many as the sketch has
  // One common keyword is rare among strangers while there are few keywords, two with more.
  std::uint32_t gate() const { return keywords < 64 ? 1 : 2; }
};

// A KeywordIndex makes its keywords by this.
MakeKeywords keyword_maker(const Keywords& keywords);

// The index must have the keywords of `options`. Throws Failure(kConfig) when this machine lacks
// cpu.simd.
std::unique_ptr<SearchEngine> make_match_engine(const SketchShape& shape,
                                                const MatchOptions& options,
                                                std::shared_ptr<KeywordIndex> index,
                                                const CpuOptions& cpu);

}  // namespace neardup
