// Scores candidates without reading their rows. Where the sketch of a candidate is in memory, its
// score is the count of equal values. Elsewhere it is an upper bound of that count: the count of
// equal bits of the packed 1-bit sketches, which every equal value adds to (Knudsen 2021). Most
// candidates are dropped by that bound; a pair that reaches the threshold never is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/cpu/compare.h"
#include "pipeline/model/candidate.h"
#include "pipeline/model/query.h"

namespace neardup {

struct FilterCounts {
  std::uint64_t candidates = 0;  // distinct candidates of each document
  std::uint64_t passed = 0;      // those whose score reaches `need`

  FilterCounts& operator+=(const FilterCounts& other) {
    candidates += other.candidates;
    passed += other.passed;
    return *this;
  }
};

class Prefilter {
 public:
  // `need`: the count of equal values that every original reaches; 0 lets everything through.
  Prefilter(const SketchComparer& comparer, std::uint32_t need)
      : comparer_(comparer), need_(need) {}

  // Appends to `scored` the candidates whose sketch is in memory, and of the others those whose
  // bound reaches `need`.
  FilterCounts score(const Query& query, std::span<const Candidate> candidates,
                     std::vector<ScoredCandidate>& scored) const;

  // Can the candidate have the count of equal values that every original reaches?
  bool may_reach(const ScoredCandidate& candidate) const { return candidate.max_equal >= need_; }

 private:
  std::uint32_t max_equal(const Query& query, const Candidate& candidate) const;

  const SketchComparer& comparer_;
  std::uint32_t need_;
};

}  // namespace neardup
