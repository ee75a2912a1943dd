#include "pipeline/match/verifier.h"

#include <algorithm>

namespace neardup {
namespace {

// Is a/b > c/d? Sets are far smaller than 2^32, so the products fit.
bool larger(const Overlap& a, const Overlap& b) { return a.common * b.all > b.common * a.all; }

Ppm thousandths_down(const Overlap& overlap) {
  return static_cast<Ppm>(overlap.common * 1000 / overlap.all * 1000);
}

}  // namespace

Verifier::Verifier(const Rule& rule, const SketchComparer& comparer, LiveRows& rows,
                   ExactSets& sets)
    : decision_(rule.decision),
      sizes_matter_(is_permutation(rule.plan.sketch)),
      estimator_(rule.plan, rule.decision.threshold),
      comparer_(comparer),
      rows_(rows),
      sets_(sets) {}

std::uint32_t Verifier::needed(SetSizes sizes) const {
  switch (decision_.verify) {
    case VerifyMode::kNone:
      return 0;
    case VerifyMode::kSketch:
      return estimator_.decision_count(sizes);
    case VerifyMode::kExact:
      return estimator_.lower_count();
  }
  return 0;
}

std::uint32_t Verifier::least_count() const { return sizes_matter_ ? 0 : needed({}); }

bool Verifier::passes(const Query& query, const DocumentRow& row, std::uint32_t need) {
  if (!comparer_.reaches(query.sketch, row.sketch.data(), need)) return false;
  ++counts_.passed_estimate;
  return true;
}

std::optional<Original> Verifier::best(const Query& query, const CandidateList& candidates) {
  if (candidates.scored.empty()) return std::nullopt;
  return decision_.verify == VerifyMode::kExact ? best_exact(query, candidates)
                                                : best_by_count(query, candidates);
}

std::optional<Original> Verifier::best_by_count(const Query& query,
                                                const CandidateList& candidates) {
  const DocumentRow* best = nullptr;
  std::uint32_t best_count = 0;
  const std::uint32_t least = least_count();
  const auto compare = [&](const ScoredCandidate& candidate) {
    if (candidate.max_equal < least) return;
    if (best != nullptr && !may_beat(candidate, best_count, best->seq)) return;
    const DocumentRow* row = rows_.find_sketched(candidate.seq, query.name_space);
    if (row == nullptr) return;
    const std::uint32_t need = needed({query.distinct_shingles, row->distinct_shingles});
    if (!passes(query, *row, std::max(need, best_count))) return;
    const std::uint32_t count = comparer_.equal_values(query.sketch, row->sketch.data());
    if (best != nullptr && count == best_count && best->seq < row->seq) return;
    if (!is_candidate(query, candidates, *row)) return;
    ++counts_.named;
    ++counts_.confirmed;
    best = row;
    best_count = count;
  };
  const ScoredCandidate& first = first_to_compare(candidates.scored);
  compare(first);
  for (const ScoredCandidate& candidate : candidates.scored) {
    if (&candidate != &first) compare(candidate);
  }
  if (best == nullptr) return std::nullopt;
  const Estimate e =
      estimator_.estimate(best_count, {query.distinct_shingles, best->distinct_shingles});
  const auto by = decision_.verify == VerifyMode::kNone ? VerifiedBy::kNone : VerifiedBy::kSketch;
  return Original{best->id,
                  best->seq,
                  by,
                  e.similarity,
                  e.low,
                  e.high,
                  comparer_.bands_hit(query.sketch, best->sketch.data())};
}

std::optional<Original> Verifier::best_exact(const Query& query, const CandidateList& candidates) {
  const DocumentRow* best = nullptr;
  Overlap best_overlap;
  ShingleSet ours;
  const std::uint32_t least = least_count();
  for (const ScoredCandidate& candidate : candidates.scored) {
    if (candidate.max_equal < least) continue;
    const DocumentRow* row = rows_.find_sketched(candidate.seq, query.name_space);
    if (row == nullptr) continue;
    if (!passes(query, *row, needed({})) || !is_candidate(query, candidates, *row)) continue;
    ++counts_.named;
    const ShingleSet* theirs = sets_.of_document(row->seq);
    if (theirs == nullptr) continue;
    if (ours.empty()) ours = sets_.of_text(query.text);
    ++counts_.exact;
    const Overlap found = overlap(ours, *theirs);
    if (found.common * kOne < std::uint64_t{decision_.threshold} * found.all) continue;
    ++counts_.confirmed;
    const bool older = best != nullptr && row->seq < best->seq;
    if (best == nullptr || larger(found, best_overlap) || (older && !larger(best_overlap, found))) {
      best = row;
      best_overlap = found;
    }
  }
  if (best == nullptr) return std::nullopt;
  const Ppm similarity = thousandths_down(best_overlap);
  return Original{best->id,
                  best->seq,
                  VerifiedBy::kExact,
                  similarity,
                  similarity,
                  similarity,
                  comparer_.bands_hit(query.sketch, best->sketch.data())};
}

std::optional<Seq> Verifier::near_miss(const Query& query, const CandidateList& candidates) {
  std::optional<Seq> nearest;
  std::uint32_t least = estimator_.lower_count();
  for (const ScoredCandidate& candidate : candidates.scored) {
    if (candidate.max_equal < least) continue;
    const DocumentRow* row = rows_.find_sketched(candidate.seq, query.name_space);
    if (row == nullptr || !is_candidate(query, candidates, *row)) continue;
    const std::uint32_t count = comparer_.equal_values(query.sketch, row->sketch.data());
    if (count < least) continue;
    least = count + 1;
    nearest = row->seq;
  }
  return nearest;
}

Ppm Verifier::similarity(const Query& query, const DocumentRow& row) const {
  const std::uint32_t count = comparer_.equal_values(query.sketch, row.sketch.data());
  return estimator_.estimate(count, {query.distinct_shingles, row.distinct_shingles}).similarity;
}

}  // namespace neardup
