#include "pipeline/match/verifier.h"

namespace neardup {

Verifier::Verifier(const Rule& rule, const SketchComparer& comparer, LiveRows& rows,
                   ExactSets& sets)
    : verify_(rule.decision.verify),
      scorer_(rule, comparer, sets),
      comparer_(comparer),
      rows_(rows) {}

bool Verifier::passes(const Query& query, const DocumentRow& row, std::uint32_t least) {
  if (!scorer_.reaches(query, row, least)) return false;
  ++counts_.passed_estimate;
  return true;
}

std::optional<Original> Verifier::best(const Query& query, const CandidateList& candidates) {
  if (candidates.scored.empty()) return std::nullopt;
  return verify_ == VerifyMode::kExact ? best_exact(query, candidates)
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
    if (!passes(query, *row, best_count)) return;
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
  return original(query, best, {best_count, comparer_.shape().slots});
}

std::optional<Original> Verifier::best_exact(const Query& query, const CandidateList& candidates) {
  const DocumentRow* best = nullptr;
  Score best_score;
  ShingleSet ours;
  const std::uint32_t least = least_count();
  for (const ScoredCandidate& candidate : candidates.scored) {
    if (candidate.max_equal < least) continue;
    const DocumentRow* row = rows_.find_sketched(candidate.seq, query.name_space);
    if (row == nullptr) continue;
    if (!passes(query, *row) || !is_candidate(query, candidates, *row)) continue;
    ++counts_.named;
    const std::optional<Score> found = scorer_.compare_sets(query, row->seq, ours);
    if (!found) continue;
    ++counts_.exact;
    if (!scorer_.is_similar(*found)) continue;
    ++counts_.confirmed;
    const bool older = best != nullptr && row->seq < best->seq;
    if (best == nullptr || larger(*found, best_score) || (older && !larger(best_score, *found))) {
      best = row;
      best_score = *found;
    }
  }
  return original(query, best, best_score);
}

std::optional<Original> Verifier::original(const Query& query, const DocumentRow* best,
                                           const Score& score) const {
  if (best == nullptr) return std::nullopt;
  const std::uint32_t bands_hit = comparer_.bands_hit(query.sketch, best->sketch.data());
  return scorer_.original(query, {best->seq, score, bands_hit, best->distinct_shingles}, best->id);
}

std::optional<Seq> Verifier::near_miss(const Query& query, const CandidateList& candidates) {
  std::optional<Seq> nearest;
  std::uint32_t least = scorer_.lower_count();
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

}  // namespace neardup
