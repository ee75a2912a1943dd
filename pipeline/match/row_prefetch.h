// Reads the rows that deciding some chunks will need, in one or two calls of the store.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/cpu/compare.h"
#include "pipeline/match/candidate_finder.h"
#include "pipeline/match/chunk_lookup.h"
#include "pipeline/match/prefilter.h"
#include "pipeline/match/row_cache.h"
#include "pipeline/model/candidate.h"
#include "pipeline/model/sketched_batch.h"

namespace neardup {

// The candidates whose rows are read: all that pass the prefilter, or of these only the ones that
// may have the largest count of equal values.
enum class RowsOf : std::uint8_t { kAll, kBest };

class RowPrefetch {
 public:
  // The references must outlive this.
  RowPrefetch(RowsOf rows_of, const SketchComparer& comparer, const Prefilter& prefilter,
              const ChunkLookup& lookup, const CandidateFinder& finder, RowCache& rows)
      : rows_of_(rows_of),
        comparer_(comparer),
        prefilter_(prefilter),
        lookup_(lookup),
        finder_(finder),
        rows_(rows) {}

  // Wants what the decisions about a chunk read first: documents of the same content, older
  // versions, and the candidates to compare first. Requires, here and below: `lookup` and `finder`
  // have run for the chunk, and have selected it.
  void want_first(const SketchedBatch& chunk);
  // Wants the candidates that can still beat the first one, given its real count. Requires: what
  // was wanted first is fetched.
  void want_rivals(const SketchedBatch& chunk);
  // Reads the rows that are wanted.
  void fetch();

 private:
  void want(const ScoredCandidate& candidate);
  void want_candidates(std::span<const ScoredCandidate> candidates);
  std::uint32_t equal_values(const SketchedBatch& chunk, std::size_t i, Seq seq);

  RowsOf rows_of_;
  const SketchComparer& comparer_;
  const Prefilter& prefilter_;
  const ChunkLookup& lookup_;
  const CandidateFinder& finder_;
  RowCache& rows_;
  std::vector<Seq> wanted_;
};

}  // namespace neardup
