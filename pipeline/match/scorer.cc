#include "pipeline/match/scorer.h"

#include <utility>

namespace neardup {
namespace {

Ppm thousandths_down(const Score& overlap) {
  return static_cast<Ppm>(overlap.equal * 1000 / overlap.all * 1000);
}

}  // namespace

Scorer::Scorer(const Rule& rule, const SketchComparer& comparer, ExactSets& sets)
    : decision_(rule.decision),
      sizes_matter_(is_permutation(rule.plan.sketch)),
      estimator_(rule.plan, rule.decision.threshold),
      comparer_(comparer),
      sets_(sets) {}

std::uint32_t Scorer::needed(SetSizes sizes) const {
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

std::optional<Score> Scorer::compare_sets(const Query& query, Seq document, ShingleSet& ours) {
  const ShingleSet* theirs = sets_.of_document(document);
  if (theirs == nullptr) return {};
  if (ours.empty()) ours = sets_.of_text(query.text);
  const Overlap found = overlap(ours, *theirs);
  return Score{found.common, found.all};
}

std::optional<Score> Scorer::score(const Query& query, const DocumentRow& row, ShingleSet& ours) {
  if (!reaches(query, row)) return {};
  if (decision_.verify != VerifyMode::kExact) {
    return Score{comparer_.equal_values(query.sketch, row.sketch.data()), comparer_.shape().slots};
  }
  const std::optional<Score> overlap = compare_sets(query, row.seq, ours);
  return overlap && is_similar(*overlap) ? overlap : std::nullopt;
}

void Scorer::append_passing(const Query& query, std::span<const DocumentRow* const> rows,
                            std::vector<PassingDocument>& passing) {
  ShingleSet ours;
  for (const DocumentRow* row : rows) {
    if (const std::optional<Score> found = score(query, *row, ours)) {
      passing.push_back({row->seq, *found, comparer_.bands_hit(query.sketch, row->sketch.data()),
                         row->distinct_shingles});
    }
  }
}

Original Scorer::original(const Query& query, const PassingDocument& document,
                          std::string id) const {
  const auto [seq, score, bands_hit, distinct_shingles] = document;
  if (decision_.verify == VerifyMode::kExact) {
    const Ppm exact = thousandths_down(score);
    return {std::move(id), seq, VerifiedBy::kExact, exact, exact, exact, bands_hit};
  }
  const auto by = decision_.verify == VerifyMode::kNone ? VerifiedBy::kNone : VerifiedBy::kSketch;
  const Estimate e = estimator_.estimate(static_cast<std::uint32_t>(score.equal),
                                         {query.distinct_shingles, distinct_shingles});
  return {std::move(id), seq, by, e.similarity, e.low, e.high, bands_hit};
}

Ppm Scorer::similarity(const Query& query, const DocumentRow& row) const {
  const std::uint32_t count = comparer_.equal_values(query.sketch, row.sketch.data());
  return estimator_.estimate(count, {query.distinct_shingles, row.distinct_shingles}).similarity;
}

}  // namespace neardup
