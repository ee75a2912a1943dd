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

Verifier::Verifier(const Rule& rule, const CpuOptions& cpu, ExactSets& sets)
    : decision_(rule.decision),
      sizes_matter_(is_permutation(rule.plan.sketch)),
      estimator_(rule.plan, rule.decision.threshold),
      comparer_(rule.plan.shape(), cpu),
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

std::optional<Original> Verifier::best(const Query& query, std::span<const Nominee> nominees,
                                       Candidates& candidates) {
  if (nominees.empty()) return std::nullopt;
  return decision_.verify == VerifyMode::kExact ? best_exact(query, nominees, candidates)
                                                : best_by_count(query, nominees, candidates);
}

std::optional<Original> Verifier::best_by_count(const Query& query,
                                                std::span<const Nominee> nominees,
                                                Candidates& candidates) {
  const DocumentRow* best = nullptr;
  std::uint32_t best_count = 0;
  const std::uint32_t least = least_count();
  const auto compare = [&](const Nominee& nominee) {
    if (nominee.most < least) return;
    if (best != nullptr && !may_beat(nominee, best_count, best->seq)) return;
    const DocumentRow* row = candidates.sketched(nominee.seq, query.name_space);
    if (row == nullptr) return;
    const std::uint32_t need = needed({query.distinct_shingles, row->distinct_shingles});
    if (!passes(query, *row, std::max(need, best_count))) return;
    const std::uint32_t count = comparer_.equal_values(query.sketch, row->sketch.data());
    if (best != nullptr && count == best_count && best->seq < row->seq) return;
    if (!candidates.named(*row, query)) return;
    ++counts_.named;
    ++counts_.confirmed;
    best = row;
    best_count = count;
  };
  const Nominee& first = first_to_compare(nominees);
  compare(first);
  for (const Nominee& nominee : nominees) {
    if (&nominee != &first) compare(nominee);
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

std::optional<Original> Verifier::best_exact(const Query& query, std::span<const Nominee> nominees,
                                             Candidates& candidates) {
  const DocumentRow* best = nullptr;
  Overlap best_overlap;
  ShingleSet ours;
  const std::uint32_t least = least_count();
  for (const Nominee& nominee : nominees) {
    if (nominee.most < least) continue;
    const DocumentRow* row = candidates.sketched(nominee.seq, query.name_space);
    if (row == nullptr) continue;
    if (!passes(query, *row, needed({})) || !candidates.named(*row, query)) continue;
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

std::optional<Seq> Verifier::near_miss(const Query& query, std::span<const Nominee> nominees,
                                       Candidates& candidates) const {
  std::optional<Seq> nearest;
  std::uint32_t least = estimator_.lower_count();
  for (const Nominee& nominee : nominees) {
    if (nominee.most < least) continue;
    const DocumentRow* row = candidates.sketched(nominee.seq, query.name_space);
    if (row == nullptr || !candidates.named(*row, query)) continue;
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
