// The objects that match queries best, among all of long postings (GENIE, Zhou et al. 2018,
// section 3).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "gpu/search/count_queue.h"
#include "gpu/search/dense_postings.h"

namespace neardup {

// Its items; not owned.
using DenseQuery = std::span<const KeywordRange>;

// For each query the `most` objects with the highest match-counts, in order: the highest count
// first, then the smaller object. Objects that match nothing are left out; counts above
// CountQueue::kMostCount are taken as that. The answer depends on the postings and the query alone,
// not on `threads`, which share the segments. Requires: most > 0, threads > 0.
std::vector<std::vector<MatchedObject>> best_matches(const DensePostings& postings,
                                                     std::span<const DenseQuery> queries,
                                                     std::uint32_t most, std::uint32_t threads);

// Calls visit(first, counts) for each segment in order, with the match-counts of its objects from
// `first` on; counts above CountQueue::kMostCount are that. `counters`: of one thread.
void visit_counts(
    const DensePostings& postings, DenseQuery query, SegmentCounts& counters,
    const std::function<void(std::uint32_t first, std::span<const std::uint8_t> counts)>& visit);

}  // namespace neardup
