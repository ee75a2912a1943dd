#include "pipeline/nominator.h"

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
      prefetch(next.one_bit);
      for (std::size_t word = 0; next.sketch != nullptr && word < words; word += 8) {
        prefetch(next.sketch + word);
      }
    }
    const Candidate& candidate = candidates[i];
    const auto most = filter_.pass(query.one_bit, candidate.one_bit);
    if (!most) continue;
    nominees.push_back(
        {candidate.seq, candidate.sketch == nullptr
                            ? *most
                            : comparer_.equal_values(query.sketch, candidate.sketch)});
  }
}

}  // namespace neardup
