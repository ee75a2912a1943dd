#include "pipeline/rule/binomial.h"

#include <algorithm>
#include <cmath>

namespace neardup {

std::vector<double> binomial(std::uint32_t n, double p) {
  std::vector<double> chances(n + 1, 0.0);
  if (p == 1) {
    chances.back() = 1;
    return chances;
  }
  for (std::uint32_t i = 0; i <= n; ++i) {
    const double ways = std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0);
    chances[i] = std::exp(ways + i * std::log(p) + (n - i) * std::log1p(-p));
  }
  return chances;
}

// Weights relative to the mode, so that nothing underflows, and only + − × ÷, so that every machine
// finds the same count.
std::uint32_t binomial_lower(std::uint32_t n, double p, double loss) {
  if (p >= 1) return n;
  const auto mode = std::min(n, static_cast<std::uint32_t>((n + 1) * p));
  std::vector<double> weight(n + 1, 0.0);
  weight[mode] = 1;
  const double odds = p / (1 - p);
  for (std::uint32_t i = mode; i > 0; --i) weight[i - 1] = weight[i] * i / ((n - i + 1) * odds);
  for (std::uint32_t i = mode; i < n; ++i) weight[i + 1] = weight[i] * ((n - i) * odds) / (i + 1);
  double total = 0;
  for (double w : weight) total += w;
  double below = 0;
  std::uint32_t count = 0;
  while (count < n && (below + weight[count]) / total < loss) below += weight[count++];
  return count;
}

}  // namespace neardup
