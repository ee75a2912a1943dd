#include "pipeline/match/prefilter.h"

#include <limits>

#include "storage/prefetch.h"

namespace neardup {
namespace {

constexpr std::size_t kCandidatesAhead = 8;

void prefetch_sketch(const Candidate& candidate, std::size_t words) {
  if (candidate.sketch == nullptr) {
    prefetch(candidate.one_bit);
  } else {
    for (std::size_t word = 0; word < words; word += 8) prefetch(candidate.sketch + word);
  }
}

}  // namespace

FilterCounts Prefilter::score(const Query& query, std::span<const Candidate> candidates,
                              std::vector<ScoredCandidate>& scored) const {
  FilterCounts counts{.candidates = candidates.size()};
  const std::size_t words = comparer_.shape().sketch_words();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i + kCandidatesAhead < candidates.size()) {
      prefetch_sketch(candidates[i + kCandidatesAhead], words);
    }
    const Candidate& candidate = candidates[i];
    const ScoredCandidate one{candidate.seq, max_equal(query, candidate)};
    const bool reaches = may_reach(one);
    counts.passed += reaches ? 1 : 0;
    if (reaches || candidate.sketch != nullptr) scored.push_back(one);
  }
  return counts;
}

std::uint32_t Prefilter::max_equal(const Query& query, const Candidate& candidate) const {
  if (candidate.sketch != nullptr) return comparer_.equal_values(query.sketch, candidate.sketch);
  if (need_ == 0 || candidate.one_bit == nullptr) return std::numeric_limits<std::uint32_t>::max();
  return comparer_.equal_bits(query.one_bit, candidate.one_bit);
}

}  // namespace neardup
