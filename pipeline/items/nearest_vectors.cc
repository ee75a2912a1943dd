#include <algorithm>

#include "pipeline/base/in_threads.h"
#include "pipeline/items/nearest.h"

namespace neardup {
namespace {

constexpr std::uint32_t kUsualCandidates = 1000;

}  // namespace

std::vector<NearestItems> nearest_vectors(const FieldColumn& vectors, const DensePostings& postings,
                                          std::span<const DenseQuery> queries,
                                          std::span<const FieldValue* const> values,
                                          const ItemSearchOptions& options) {
  const std::uint32_t most = options.candidates_or(kUsualCandidates);
  const auto candidates = best_matches(postings, queries, most, options.threads);
  std::vector<NearestItems> found(queries.size());
  share_out(queries.size(), options.threads, [&](std::size_t, std::size_t i) {
    std::vector<NearItem>& hits = found[i].hits;
    for (const MatchedObject& candidate : candidates[i]) {
      const auto distance = vectors.distance(*values[i], candidate.object);
      if (distance && *distance <= options.max_distance)
        hits.push_back({*distance, candidate.object});
    }
    std::ranges::sort(hits);
    if (hits.size() > options.k) hits.resize(options.k);
    found[i].certain = found[i].by_candidates = candidates[i].size() == postings.objects();
  });
  return found;
}

}  // namespace neardup
