#include "gpu/search/match_count.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace neardup {
namespace {

constexpr std::size_t kAhead = 16;            // lists that are fetched before they are read
constexpr std::size_t kPostingsAsBytes = 64;  // bytes are cleared while one posting is followed

// Compares eight bytes with a number at once.
class ByteGate {
 public:
  // Requires: gate <= 255.
  explicit ByteGate(std::uint32_t gate)
      : high_(gate > kTop), carry_(kOnes * ((gate > kTop ? 2 * kTop : kTop) - gate)) {}

  // The top bit of each byte that is `gate` or more; the first byte is the lowest.
  std::uint64_t reached(const std::uint8_t* bytes) const {
    std::uint64_t eight;
    std::memcpy(&eight, bytes, sizeof eight);
    const std::uint64_t sums = (eight & ~kTops) + carry_;  // of the lower seven bits of each
    return (high_ ? sums & eight : sums | eight) & kTops;
  }

 private:
  static constexpr std::uint64_t kTop = 0x80;
  static constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  static constexpr std::uint64_t kTops = kOnes * kTop;

  bool high_;
  std::uint64_t carry_;  // in each byte: what the gate needs to reach the top bit
};

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
  for (const List list : lists_) {  // a copy: a score may lie anywhere, for all that is known
    for (const std::uint32_t* place = list.begin; place < list.end; ++place) {
      scores[*place] = static_cast<std::uint8_t>(scores[*place] + list.weight);
    }
  }
  const ByteGate of_eight(gate);
  std::uint32_t place = 0;
  for (; place + 8 <= documents; place += 8) {
    std::uint64_t reach = of_eight.reached(scores + place);
    for (; reach != 0; reach &= reach - 1) {
      reached.push_back(place + static_cast<std::uint32_t>(std::countr_zero(reach)) / 8);
    }
  }
  for (; place < documents; ++place) {
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
