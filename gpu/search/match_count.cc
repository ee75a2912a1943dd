#include "gpu/search/match_count.h"

#include <algorithm>

namespace neardup {

void MatchCounter::prefetch(const KeywordPostings& postings, const std::uint16_t* query) {
  for (std::uint32_t i = 0; i < postings.keywords; ++i) {
    __builtin_prefetch(postings.starts(i) + query[i]);
  }
}

void MatchCounter::reach(const KeywordPostings& postings, const std::uint16_t* query,
                         std::uint32_t gate, std::vector<std::uint32_t>& reached) {
  counts_.resize(std::max<std::size_t>(counts_.size(), postings.documents));
  lists_.clear();
  for (std::uint32_t i = 0; i < postings.keywords; ++i) {
    const std::uint32_t* start = postings.starts(i) + query[i];
    lists_.push_back({postings.places(i) + start[0], postings.places(i) + start[1]});
    __builtin_prefetch(lists_.back().begin);
  }
  std::uint8_t* counts = counts_.data();
  for (const List& list : lists_) {
    for (const std::uint32_t* place = list.begin; place < list.end; ++place) {
      if (++counts[*place] == gate) reached.push_back(*place);
    }
  }
  for (const List& list : lists_) {
    for (const std::uint32_t* place = list.begin; place < list.end; ++place) counts[*place] = 0;
  }
}

}  // namespace neardup
