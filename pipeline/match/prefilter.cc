#include "pipeline/match/prefilter.h"

#include "storage/prefetch.h"

namespace neardup {
namespace {

constexpr std::size_t kCandidatesAhead = 8;

}  // namespace

void Nominator::nominate(const QuerySketches& query, std::span<const Candidate> candidates,
                         std::vector<Nominee>& nominees) {
  const std::size_t words = comparer_.shape().sketch_words();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i + kCandidatesAhead < candidates.size()) {
      const Candidate& next = candidates[i + kCandidatesAhead];
      if (next.sketch == nullptr) {
        prefetch(next.one_bit);
      } else {
        for (std::size_t word = 0; word < words; word += 8) prefetch(next.sketch + word);
      }
    }
    const Candidate& candidate = candidates[i];
    const bool at_hand = candidate.sketch != nullptr;
    const std::uint32_t most = at_hand ? comparer_.equal_values(query.sketch, candidate.sketch)
                                       : filter_.most(query.one_bit, candidate.one_bit);
    if (filter_.pass(most) || at_hand) nominees.push_back({candidate.seq, most});
  }
}

}  // namespace neardup
