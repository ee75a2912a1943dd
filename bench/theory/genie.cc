#include "bench/theory/genie.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pipeline/rule/binomial.h"

namespace neardup::bench {
namespace {

constexpr std::uint32_t kLeast = 10;
constexpr double kRounding = 1e-9;  // of (s ± ε)·m where that is a whole number

}  // namespace

std::uint32_t least_functions(double similarity, double epsilon, double delta,
                              CountInterval interval) {
  for (std::uint32_t m = kLeast;; ++m) {
    const double low = (similarity - epsilon) * m;
    const double high = (similarity + epsilon) * m;
    const bool inside = interval == CountInterval::kInside;
    const auto first = static_cast<std::ptrdiff_t>(
        std::max(inside ? std::ceil(low - kRounding) : std::floor(low), 0.0));
    const auto last = static_cast<std::ptrdiff_t>(
        std::min(inside ? std::floor(high + kRounding) : std::ceil(high), static_cast<double>(m)));
    const auto chances = binomial(m, similarity);
    const double within = std::accumulate(chances.begin() + first, chances.begin() + last + 1, 0.0);
    if (within >= 1 - delta) return m;
  }
}

std::uint32_t functions_by_bound(double epsilon, double delta) {
  return static_cast<std::uint32_t>(std::ceil(2 * std::log(3 / delta) / (epsilon * epsilon)));
}

}  // namespace neardup::bench
