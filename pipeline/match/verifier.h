// Candidates → the original, if one of them passes the verification of the rule.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "gpu/cpu/compare.h"
#include "pipeline/match/candidate_finder.h"
#include "pipeline/match/exact_sets.h"
#include "pipeline/match/live_rows.h"
#include "pipeline/match/scorer.h"
#include "pipeline/model/flag.h"
#include "pipeline/model/query.h"
#include "pipeline/rule/rule.h"
#include "storage/store.h"

namespace neardup {

struct VerifyCounts {
  std::uint64_t passed_estimate = 0;  // have enough equal values
  std::uint64_t exact = 0;            // of `named`: their shingle sets were compared
  std::uint64_t named = 0;            // of `passed_estimate`: really share a bucket
  std::uint64_t confirmed = 0;        // of `named`: pass the verification of the rule
};

class Verifier {
 public:
  // The references must outlive this.
  Verifier(const Rule& rule, const SketchComparer& comparer, LiveRows& rows, ExactSets& sets);

  // The count of equal values that every original reaches, for any sizes of the sets.
  std::uint32_t least_count() const { return scorer_.least_count(); }

  // The most similar of the candidates that pass the verification of the rule; ties go to the
  // smaller seq. Reads only the rows of candidates that can be the result.
  std::optional<Original> best(const Query& query, const CandidateList& candidates);

  // The most similar candidate that is worth exact verification (Estimator::lower_count), for a
  // document without an original.
  std::optional<Seq> near_miss(const Query& query, const CandidateList& candidates);

  // The estimate between two sketched documents.
  Ppm similarity(const Query& query, const DocumentRow& row) const {
    return scorer_.similarity(query, row);
  }

  const VerifyCounts& counts() const { return counts_; }

 private:
  bool passes(const Query& query, const DocumentRow& row, std::uint32_t least = 0);
  bool is_candidate(const Query& query, const CandidateList& candidates,
                    const DocumentRow& row) const {
    return candidates.in_counted_bucket(comparer_, query, row);
  }
  std::optional<Original> best_by_count(const Query& query, const CandidateList& candidates);
  std::optional<Original> best_exact(const Query& query, const CandidateList& candidates);

  std::optional<Original> original(const Query& query, const DocumentRow* best,
                                   const Score& score) const;

  VerifyMode verify_;
  Scorer scorer_;
  const SketchComparer& comparer_;
  LiveRows& rows_;
  VerifyCounts counts_;
};

}  // namespace neardup
