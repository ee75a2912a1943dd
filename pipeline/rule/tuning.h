// The effect of a choice of bands and rows in numbers: the S-curve of LSH followed by the decision
// by sketch, chance meetings of unrelated documents, and the choice that the LSH framework would
// prescribe. For people only: nothing here decides a flag.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/rule/bands.h"
#include "pipeline/rule/rule.h"

namespace neardup {

// Chances of a pair of Jaccard similarity `jaccard`.
struct CurvePoint {
  double jaccard = 0;
  double meets = 0;  // in at least one bucket
  double reaches =
      0;  // equal values enough to be flagged, wherever they lie; 1 with verify.mode none
  double flagged = 0;  // both
};

// Exact for values that are equal independently of each other with chance J + (1 − J)·2^−b: equal
// values are then binomial, and a band is a run of `rows` of the same values. With verify.mode
// exact `reaches` is the lower count, and a pair below the threshold is never flagged.
CurvePoint curve_point(const Rule& rule, double jaccard);

// `steps` + 1 points from 0 to 1.
std::vector<CurvePoint> curve(const Rule& rule, unsigned steps);

// Of pairs whose similarities lie evenly between 0 and 1, as sums over a curve.
struct Quality {
  double recall = 0;     // flagged of those at or above the threshold
  double precision = 0;  // at or above the threshold of those flagged
};
Quality even_quality(const std::vector<CurvePoint>& curve, Ppm threshold);

// Postings of unrelated documents that one document meets by chance in an index of `documents`:
// n·M·2^(−b·r).
double chance_meetings(const Bands& bands, std::uint32_t bits, std::uint64_t documents);

// The fewest bands that reach `recall` at the threshold, for the rows around those of the rule (up
// to `around` on either side), where the sketch has values enough. Rows ascend.
std::vector<Bands> alternatives(const Rule& rule, double recall, std::uint32_t least_rows,
                                std::uint32_t around);

// k hash values a table and l tables.
struct FrameworkChoice {
  std::uint64_t rows = 0;    // k
  std::uint64_t tables = 0;  // l
};

// ρ = ln(1/j1) / ln(1/j2) (Indyk, Motwani, "Approximate Nearest Neighbors", STOC 1998).
// Requires of all three: 0 < j2 < j1 < 1, documents ≥ 2.
double framework_rho(double j1, double j2);

// What the framework prescribes to find pairs of similarity j1 among strangers of similarity j2:
// k = ⌈ln n / ln(1/j2)⌉, l = ⌈n^ρ⌉.
FrameworkChoice framework_choice(double j1, double j2, std::uint64_t documents);

// Knudsen's (2021) lowered k, as we read it: where `per_word` packed mini-sketches are rejected at
// the cost of one, a bucket may hold that many times more strangers: k' = max(1, ⌈ln(n/per_word) /
// ln(1/j2)⌉), l' = ⌈(1/j1)^k'⌉.
FrameworkChoice lowered_choice(double j1, double j2, std::uint64_t documents,
                               std::uint32_t per_word);

// Chance that a pair meets in a table when one hash value of it is equal with chance `collision`.
double found_chance(const FrameworkChoice& choice, double collision);

}  // namespace neardup
