#include "pipeline/rule/bands.h"

#include <fmt/core.h>

#include <bit>
#include <limits>
#include <optional>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

// The cost of boilerplate: about this many documents share a fifth of their shingles with a
// document, and each that meets it in a bucket costs as much as a posting
// (docs/decisions/0004-bands.md).
constexpr double kBoilerplateDocuments = 2000;
constexpr double kBoilerplateJaccard = 0.2;

double power(double base, std::uint32_t exponent) {
  double result = 1;
  for (std::uint32_t i = 0; i < exponent; ++i) result *= base;
  return result;
}

// The fewest bands that reach `recall`, if `most` suffice.
std::optional<std::uint32_t> fewest_bands(double collision, std::uint32_t rows, double recall,
                                          std::uint32_t most) {
  const double miss_one = 1 - power(collision, rows);
  double miss = 1;
  for (std::uint32_t bands = 1; bands <= most; ++bands) {
    miss *= miss_one;
    if (1 - miss >= recall) return bands;
  }
  return std::nullopt;
}

double cost(const Bands& choice, std::uint32_t bits) {
  const double meetings =
      kBoilerplateDocuments * power(value_collision(kBoilerplateJaccard, bits), choice.rows);
  return choice.bands * (1 + meetings);
}

Bands checked(const LshOptions& lsh, const SketchOptions& sketch, std::uint32_t least_rows,
              std::uint64_t expected_documents) {
  if (std::uint64_t{lsh.bands} * lsh.rows > sketch.size) {
    throw Failure(
        Exit::kConfig,
        fmt::format("lsh.bands: {} bands × {} rows need {} values, but sketch.size is {}; "
                    "raise sketch.size or take fewer bands",
                    lsh.bands, lsh.rows, std::uint64_t{lsh.bands} * lsh.rows, sketch.size));
  }
  if (lsh.rows < least_rows) {
    throw Failure(
        Exit::kConfig,
        fmt::format(
            "lsh.rows: {} rows of {} bits are too few for {} expected documents, unrelated ones "
            "would meet by chance; the smallest that fits is {}",
            lsh.rows, sketch.bits, expected_documents, least_rows));
  }
  return {lsh.bands, lsh.rows};
}

}  // namespace

double value_collision(double jaccard, std::uint32_t bits) {
  return jaccard + (1 - jaccard) / static_cast<double>(std::uint64_t{1} << bits);
}

double meeting_chance(double jaccard, std::uint32_t bits, const Bands& bands) {
  return 1 - power(1 - power(value_collision(jaccard, bits), bands.rows), bands.bands);
}

std::uint32_t smallest_rows(std::uint32_t bits, std::uint64_t expected_documents) {
  // bit_width(n − 1) is log2(n) rounded up.
  const auto log2 = static_cast<std::uint32_t>(std::bit_width(expected_documents - 1));
  return (log2 + 8 + bits - 1) / bits;
}

Bands solve_bands(const LshOptions& lsh, const SketchOptions& sketch, Ppm threshold,
                  std::uint64_t expected_documents) {
  const std::uint32_t least_rows = smallest_rows(sketch.bits, expected_documents);
  if (lsh.bands != 0) return checked(lsh, sketch, least_rows, expected_documents);
  const double collision = value_collision(threshold / 1e6, sketch.bits);
  const double recall = lsh.recall / 1e6;
  Bands best;
  double best_cost = std::numeric_limits<double>::max();
  for (std::uint32_t rows = least_rows; rows <= sketch.size; ++rows) {
    const auto bands = fewest_bands(collision, rows, recall, sketch.size / rows);
    if (!bands) break;
    if (const Bands choice{*bands, rows}; cost(choice, sketch.bits) < best_cost) {
      best = choice;
      best_cost = cost(choice, sketch.bits);
    }
  }
  if (best.bands != 0) return best;
  const auto wanted = fewest_bands(collision, least_rows, recall, 1 << 20);
  throw Failure(
      Exit::kConfig,
      fmt::format("lsh.recall: {} at threshold {} needs {} of at least {} rows, more values than "
                  "sketch.size {} holds; raise sketch.size{}, or lower lsh.recall",
                  recall, threshold / 1e6,
                  wanted ? fmt::format("{} bands", *wanted) : "over a million bands", least_rows,
                  sketch.size,
                  wanted ? fmt::format(" to {}", std::uint64_t{*wanted} * least_rows) : ""));
}

}  // namespace neardup
