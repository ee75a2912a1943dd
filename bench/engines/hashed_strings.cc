#include "bench/engines/hashed_strings.h"

#include <bit>

#include "gpu/search/keyword_probes.h"

namespace neardup::bench {
namespace {

constexpr std::uint32_t kShortKeyword = 7;  // bits
constexpr std::size_t kAhead = 16;          // strings that are fetched before they are compared

}  // namespace

HashedStrings::HashedStrings(const PlantedView& view, const BitKeywords& keywords,
                             const KeywordScores& scores, std::uint32_t threads)
    : view_(view), keywords_(keywords), scores_(scores) {
  const auto count = static_cast<std::uint32_t>(view.end() - 1);
  if (keywords.bits() <= kShortKeyword) {
    planes_.emplace(keywords, view.one_bit(1), count, view.one_bit_words(), threads);
  } else {
    postings_.emplace(keywords, view.one_bit(1), count, view.one_bit_words(), threads);
  }
}

MatchCounter HashedStrings::counter() const {
  return MatchCounter(keyword_probes(keywords_.bits(), scores_.errors, scores_.heaviest));
}

Shortlist HashedStrings::search(std::uint32_t query, std::uint32_t from, std::uint32_t to,
                                MatchCounter& counter) const {
  const std::uint64_t* bits = view_.query_one_bit(query);
  std::vector<std::uint32_t> keywords;
  for (std::uint32_t i = from; i < to; ++i) keywords.push_back(keywords_.of(bits, i));
  Shortlist nearest(kNearest);
  compare(bits, reached(from, to, keywords, counter), nearest);
  return nearest;
}

std::vector<std::uint32_t> HashedStrings::reached(std::uint32_t from, std::uint32_t to,
                                                  std::span<const std::uint32_t> keywords,
                                                  MatchCounter& counter) const {
  std::vector<std::uint32_t> places;
  if (postings_) {
    const KeywordPostings postings = postings_->view(from, to);
    counter.prefetch(postings, keywords.data());
    counter.reach(postings, keywords.data(), scores_.gate, places);
    return places;
  }
  for (std::size_t group = 0; group < planes_->groups(); ++group) {
    const KeywordPlanes::Strings found = planes_->reached(group, from, keywords, scores_);
    std::size_t first = group * KeywordPlanes::kGroup;
    for (std::uint64_t left : found) {
      for (; left != 0; left &= left - 1) {
        places.push_back(
            static_cast<std::uint32_t>(first + static_cast<std::size_t>(std::countr_zero(left))));
      }
      first += 64;
    }
  }
  return places;
}

void HashedStrings::compare(const std::uint64_t* bits, std::span<const std::uint32_t> places,
                            Shortlist& nearest) const {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i + kAhead < places.size()) __builtin_prefetch(view_.one_bit(1 + places[i + kAhead]));
    const Seq seq = 1 + places[i];
    nearest.offer(scan_.distance(view_.one_bit(seq), bits, view_.one_bit_words()), seq);
  }
}

}  // namespace neardup::bench
