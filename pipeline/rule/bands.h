// How many bands of how many rows: the S-curve of LSH over stored b-bit values.
#pragma once

#include <cstdint>

#include "gpu/options.h"
#include "pipeline/rule/options.h"

namespace neardup {

struct Bands {
  std::uint32_t bands = 0;
  std::uint32_t rows = 0;
  bool operator==(const Bands&) const = default;
};

// Postings of a stored document: one for each band, one for the content and one for the id.
constexpr std::uint32_t postings_of(std::uint32_t bands) { return bands + 2; }

// Chance that one stored b-bit value of a pair is equal: J + (1 − J)·2^−b.
double value_collision(double jaccard, std::uint32_t bits);

// Chance that a pair of Jaccard similarity `jaccard` meets in at least one bucket: 1 − (1 − p^r)^M.
double meeting_chance(double jaccard, std::uint32_t bits, const Bands& bands);

// The smallest rows with bits·rows ≥ log2(documents) + 8, so that chance meetings of unrelated
// documents stay below one in 256 a band.
std::uint32_t smallest_rows(std::uint32_t bits, std::uint64_t expected_documents);

// The bands and rows to use: those given, checked, or else the cheapest that reach lsh.recall at
// the threshold. Cost of a choice: its bands, each with one posting and with the verifications that
// boilerplate brings. Throws Failure(kConfig) that says what would fit when nothing does. Only + −
// × ÷ on doubles: the same result on every machine.
Bands solve_bands(const LshOptions& lsh, const SketchOptions& sketch, Ppm threshold,
                  std::uint64_t expected_documents);

}  // namespace neardup
