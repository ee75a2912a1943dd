// Candidates → the original, if one of them reaches the threshold: count of equal values, and, if
// wanted, the exact Jaccard similarity of the shingle sets.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/compare.h"
#include "pipeline/core/flag.h"
#include "pipeline/estimate.h"
#include "pipeline/exact_sets.h"
#include "pipeline/rule.h"
#include "storage/store.h"

namespace neardup {

// A document with a sketch that looks for its original.
struct Query {
  std::string_view name_space;
  const std::uint64_t* sketch = nullptr;
  const std::uint64_t* one_bit = nullptr;
  std::uint32_t distinct_shingles = 0;
  std::string_view text;  // normalised; looked at by exact verification only
};

struct VerifyCounts {
  std::uint64_t passed_estimate = 0;  // by the count of equal values
  std::uint64_t exact = 0;            // compared exactly
};

class Verifier {
 public:
  Verifier(const Rule& rule, const CpuOptions& cpu, ExactSets& sets);

  // The count of equal values that every original reaches, whatever the sizes of the sets.
  std::uint32_t least_count() const;

  // The most similar of `candidates` that reaches what the rule asks for; ties go to the smaller
  // seq. Requires: candidates in ascending order of seq, each with a sketch.
  std::optional<Original> best(const Query& query,
                               const std::vector<const DocumentRow*>& candidates);

  // The estimate between two sketched documents.
  Ppm similarity(const Query& query, const DocumentRow& row) const;

  const SketchComparer& comparer() const { return comparer_; }
  const VerifyCounts& counts() const { return counts_; }

 private:
  bool passes(const Query& query, const DocumentRow& row, std::uint32_t need);
  std::uint32_t needed(SetSizes sizes) const;
  std::optional<Original> best_by_count(const Query& query,
                                        const std::vector<const DocumentRow*>& candidates);
  std::optional<Original> best_exact(const Query& query,
                                     const std::vector<const DocumentRow*>& candidates);

  DecisionOptions decision_;
  bool sizes_matter_;  // the count that is needed depends on the sizes of the sets
  Estimator estimator_;
  SketchComparer comparer_;
  ExactSets& sets_;
  VerifyCounts counts_;
};

}  // namespace neardup
