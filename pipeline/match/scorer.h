// The verification of the rule between two documents: by the count of equal values and, if wanted,
// by the exact Jaccard similarity of the shingle sets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/cpu/compare.h"
#include "pipeline/match/exact_sets.h"
#include "pipeline/model/flag.h"
#include "pipeline/model/query.h"
#include "pipeline/rule/estimate.h"
#include "pipeline/rule/rule.h"
#include "storage/store.h"

namespace neardup {

// How similar two documents are: `equal` of `all`. Values of their sketches, or with exact
// verification shingles.
struct Score {
  std::uint64_t equal = 0;
  std::uint64_t all = 1;
  bool operator==(const Score&) const = default;
};

// Is `a` the larger share? Both numbers are far smaller than 2^32, so the products fit.
inline bool larger(const Score& a, const Score& b) { return a.equal * b.all > b.equal * a.all; }

// The score of a document that has been compared and passes the verification.
struct PassingDocument {
  Seq seq = 0;
  Score score;
  std::uint32_t bands_hit = 0;
  std::uint32_t distinct_shingles = 0;  // as in its row
};

// The most similar document comes first; of equals, the oldest.
inline bool better(const PassingDocument& a, const PassingDocument& b) {
  return larger(a.score, b.score) || (a.seq < b.seq && !larger(b.score, a.score));
}

class Scorer {
 public:
  // The references must outlive this.
  Scorer(const Rule& rule, const SketchComparer& comparer, ExactSets& sets);

  // The count of equal values that every original reaches, for any sizes of the sets.
  std::uint32_t least_count() const { return sizes_matter_ ? 0 : needed({}); }
  // The count that makes a pair worth exact verification.
  std::uint32_t lower_count() const { return estimator_.lower_count(); }

  // Do the sketches have as many equal values as the rule asks for, and at least `least`?
  bool reaches(const Query& query, const DocumentRow& row, std::uint32_t least = 0) const {
    const std::uint32_t need = needed({query.distinct_shingles, row.distinct_shingles});
    return comparer_.reaches(query.sketch, row.sketch.data(), std::max(need, least));
  }

  // Compares the shingle sets. `ours`: that of the query, made where it is empty. Nothing when the
  // text of the document is not kept.
  std::optional<Score> compare_sets(const Query& query, Seq document, ShingleSet& ours);
  // Does such a score reach the threshold?
  bool is_similar(const Score& overlap) const {
    return overlap.equal * kOne >= std::uint64_t{decision_.threshold} * overlap.all;
  }

  // Appends those of `rows` that pass the verification. Requires: they have sketches.
  void append_passing(const Query& query, std::span<const DocumentRow* const> rows,
                      std::vector<PassingDocument>& passing);

  // The evidence for a flag.
  Original original(const Query& query, const PassingDocument& document, std::string id) const;

  // The estimate between two sketched documents.
  Ppm similarity(const Query& query, const DocumentRow& row) const;

 private:
  std::uint32_t needed(SetSizes sizes) const;
  std::optional<Score> score(const Query& query, const DocumentRow& row, ShingleSet& ours);

  DecisionOptions decision_;
  bool sizes_matter_;  // the count that is needed depends on the sizes of the sets
  Estimator estimator_;
  const SketchComparer& comparer_;
  ExactSets& sets_;
};

}  // namespace neardup
