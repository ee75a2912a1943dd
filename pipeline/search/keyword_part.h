// Some of the queries of a search by keywords, answered by one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpu/search/keyword_probes.h"
#include "gpu/search/match_count.h"
#include "gpu/search/row_scan.h"
#include "gpu/search/shortlist.h"
#include "pipeline/search/engine.h"
#include "pipeline/search/keyword_search.h"
#include "storage/similar/keyword_index.h"

namespace neardup {

// Shared by all parts of a search. Not owned.
struct KeywordPass {
  const SketchView& view;
  const RowScan& scan;
  const KeywordSearch& search;
  const std::vector<KeywordProbe>& probes;
  std::uint32_t limit;  // of differing bits
  std::uint32_t words;  // of a 1-bit sketch
  std::size_t most;     // documents of a query
};

class KeywordPart {
 public:
  // The references must outlive this.
  KeywordPart(const KeywordPass& pass, std::span<const EngineQuery> queries);

  // Of each query, one behind the other.
  std::span<const std::uint32_t> keywords() const { return keywords_; }

  void add(const Segment& segment);

  // A segment in which reached[i] are the places that reach the gate for query i: at least those
  // within the limit. Nothing: they are not known.
  using Places = std::vector<std::uint32_t>;
  void add(const Segment& segment, std::span<const std::optional<Places>> reached);

  void add(const TailView& tail);

  // The nearest documents of each query.
  std::vector<Shortlist> finish() { return std::move(nearest_); }

 private:
  const std::uint32_t* keywords(std::size_t query) const {
    return keywords_.data() + query * keywords_each_;
  }
  template <class Reach>
  void add_each(const Segment& segment, const Reach& reach);
  void offer_collected();
  std::uint32_t score(const TailView& tail, std::size_t place, const std::uint32_t* query) const;

  const KeywordPass& pass_;
  std::span<const EngineQuery> queries_;
  std::size_t keywords_each_;
  std::vector<std::uint32_t> keywords_;
  std::vector<Shortlist> nearest_;
  MatchCounter counter_;
  Places reached_;
  std::vector<Seq> seqs_;              // reached by some queries
  std::vector<std::uint32_t> owners_;  // the query of each
};

}  // namespace neardup
