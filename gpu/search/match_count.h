// Match-count over postings of keywords (GENIE, Zhou et al. 2018, section 3): how many keywords of
// a query each document has.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/core/keyword_postings.h"

namespace neardup {

// The counters of one thread.
class MatchCounter {
 public:
  // Appends the places of the documents that have `gate` or more keywords of the query, in an order
  // that depends on the postings and the query alone. Requires: gate > 0; keywords of the query for
  // each position of the postings.
  void reach(const KeywordPostings& postings, const std::uint16_t* query, std::uint32_t gate,
             std::vector<std::uint32_t>& reached);

  // Fetches where the lists of a query begin, for a later `reach`.
  static void prefetch(const KeywordPostings& postings, const std::uint16_t* query);

 private:
  struct List {
    const std::uint32_t* begin;
    const std::uint32_t* end;
  };
  std::vector<std::uint8_t> counts_;  // by place; all 0 between two calls
  std::vector<List> lists_;
};

}  // namespace neardup
