// The interface of the engines that search the most similar documents: each nominates the documents
// whose rows are worth reading.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/search/shortlist.h"
#include "storage/sketch_view.h"

namespace neardup {

// One query of a batch.
struct EngineQuery {
  const std::uint64_t* sketch = nullptr;   // packed b-bit values; not owned
  const std::uint64_t* one_bit = nullptr;  // packed lowest bits; not owned
  std::string_view name_space;             // that is searched; not owned
  NamespaceTag tag = 0;                    // of it
  Seq except = 0;                          // the document of this seq is left out
};

struct Wanted {
  std::size_t most = 0;    // documents of each query. Requires: > 0
  Ppm min_similarity = 0;  // less similar documents are of no use
};

struct Nominated {
  // Ordered by distance of the 1-bit sketches, then by seq: so many values differ at least.
  std::vector<NearSeq> documents;
  // The most equal values that a live document of the namespace can have that is not among them.
  // Proven, not estimated. 0: all documents are among them, or have no equal value.
  std::uint32_t most_equal_elsewhere = 0;
  // Live documents of the namespace that the engine has searched. Documents of a namespace with the
  // same tag are counted, too.
  std::uint64_t searched = 0;
};

class SearchEngine {
 public:
  virtual ~SearchEngine() = default;

  virtual std::string_view name() const = 0;

  // The nominated documents of each query. The same view and query give the same documents,
  // regardless of the number of threads, the SIMD level and the other queries. May be called from
  // several threads.
  virtual std::vector<Nominated> nominate(const SketchView& view,
                                          std::span<const EngineQuery> queries,
                                          const Wanted& wanted) const = 0;
};

}  // namespace neardup
