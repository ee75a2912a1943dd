#include "gpu/search/match_count.h"

#include <algorithm>
#include <bit>

namespace neardup {
namespace {

constexpr std::size_t kAhead = 16;            // lists that are fetched before they are read
constexpr std::size_t kPostingsAsBytes = 64;  // bytes are cleared while one posting is followed

}  // namespace

void MatchCounter::prefetch(const KeywordPostings& postings, const std::uint32_t* query) const {
  for (std::uint32_t i = 0; i < postings.keywords; ++i) {
    for (const KeywordProbe& probe : probes_) {
      __builtin_prefetch(postings.starts(i) + (query[i] ^ probe.mask));
    }
  }
}

std::uint32_t MatchCounter::weight(std::uint32_t keyword, std::uint32_t of_query) const {
  const std::uint32_t errors = static_cast<std::uint32_t>(std::popcount(keyword ^ of_query));
  const std::uint32_t heaviest = probes_.front().weight;
  const std::uint32_t lightest = probes_.back().weight;
  return errors > heaviest - lightest ? 0 : heaviest - errors;
}

void MatchCounter::find_lists(const KeywordPostings& postings, const std::uint32_t* query) {
  lists_.clear();
  for (std::uint32_t i = 0; i < postings.keywords; ++i) {
    const std::uint32_t* starts = postings.starts(i);
    const std::uint32_t* places = postings.places(i);
    for (const KeywordProbe& probe : probes_) {
      const std::uint32_t* start = starts + (query[i] ^ probe.mask);
      if (start[0] == start[1]) continue;
      lists_.push_back({places + start[0], places + start[1], probe.weight});
    }
  }
}

void MatchCounter::reach(const KeywordPostings& postings, const std::uint32_t* query,
                         std::uint32_t gate, std::vector<std::uint32_t>& reached) {
  scores_.resize(std::max<std::size_t>(scores_.size(), postings.documents));
  find_lists(postings, query);
  std::size_t counted = 0;
  for (const List& list : lists_) counted += static_cast<std::size_t>(list.end - list.begin);
  if (counted > postings.documents) {
    reach_many(postings.documents, gate, reached);
  } else {
    reach_few(gate, reached);
  }
  clear(postings.documents, counted);
}

void MatchCounter::reach_few(std::uint32_t gate, std::vector<std::uint32_t>& reached) {
  std::uint8_t* scores = scores_.data();
  for (std::size_t i = 0; i < std::min(kAhead, lists_.size()); ++i) prefetch(lists_[i]);
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    if (i + kAhead < lists_.size()) prefetch(lists_[i + kAhead]);
    const List& list = lists_[i];
    for (const std::uint32_t* place = list.begin; place < list.end; ++place) {
      const std::uint32_t before = scores[*place];
      const std::uint32_t after = before + list.weight;
      scores[*place] = static_cast<std::uint8_t>(after);
      if (before < gate && after >= gate) reached.push_back(*place);
    }
  }
}

// Looking at every score once takes less time than looking at the gate with every posting.
void MatchCounter::reach_many(std::uint32_t documents, std::uint32_t gate,
                              std::vector<std::uint32_t>& reached) {
  std::uint8_t* scores = scores_.data();
  for (const List& list : lists_) {
    const std::uint8_t weight = list.weight;
    for (const std::uint32_t* place = list.begin; place < list.end; ++place) {
      scores[*place] = static_cast<std::uint8_t>(scores[*place] + weight);
    }
  }
  for (std::uint32_t place = 0; place < documents; ++place) {
    if (scores[place] >= gate) reached.push_back(place);
  }
}

void MatchCounter::clear(std::size_t documents, std::size_t counted) {
  if (counted * kPostingsAsBytes > documents) {
    std::fill_n(scores_.begin(), documents, std::uint8_t{0});
    return;
  }
  for (const List& list : lists_) {
    for (const std::uint32_t* place = list.begin; place < list.end; ++place) scores_[*place] = 0;
  }
}

}  // namespace neardup
