#include "pipeline/match/row_prefetch.h"

namespace neardup {

void RowPrefetch::fetch() {
  rows_.fetch(wanted_);
  wanted_.clear();
}

void RowPrefetch::want(const ScoredCandidate& candidate) {
  if (prefilter_.may_reach(candidate)) wanted_.push_back(candidate.seq);
}

void RowPrefetch::want_first(const SketchedBatch& chunk) {
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    if (chunk.records[i].kind == RecordKind::kDocument) {
      const BucketSeqs same = lookup_.content(i);
      wanted_.insert(wanted_.end(), same.seqs.begin(), same.seqs.end());
    }
    const std::optional<IdRow>& id = lookup_.id(i);
    if (id && id->has_document && id->content != chunk.content[i]) wanted_.push_back(id->seq);
    want_candidates(finder_.prepared(i));
  }
}

void RowPrefetch::want_candidates(std::span<const ScoredCandidate> candidates) {
  if (candidates.empty()) return;
  if (rows_of_ == RowsOf::kBest) {
    want(first_to_compare(candidates));
    return;
  }
  for (const ScoredCandidate& candidate : candidates) want(candidate);
}

void RowPrefetch::want_rivals(const SketchedBatch& chunk) {
  if (rows_of_ == RowsOf::kAll) return;
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    const std::span<const ScoredCandidate> candidates = finder_.prepared(i);
    if (candidates.size() < 2) continue;
    const ScoredCandidate& first = first_to_compare(candidates);
    if (!prefilter_.may_reach(first)) continue;
    const std::uint32_t count = equal_values(chunk, i, first.seq);
    for (const ScoredCandidate& candidate : candidates) {
      if (candidate.seq != first.seq && may_beat(candidate, count, first.seq)) want(candidate);
    }
  }
}

std::uint32_t RowPrefetch::equal_values(const SketchedBatch& chunk, std::size_t i, Seq seq) {
  const DocumentRow* row = rows_.get(seq);
  if (row == nullptr || row->sketch.empty()) return 0;
  return comparer_.equal_values(chunk.rows.sketch(i), row->sketch.data());
}

}  // namespace neardup
