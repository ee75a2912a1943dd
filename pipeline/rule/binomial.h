// Binomial distributions, of counts of equal values.
#pragma once

#include <cstdint>
#include <vector>

namespace neardup {

// Chances of 0, 1, 2 … n successes.
std::vector<double> binomial(std::uint32_t n, double p);

// The largest c with P[X < c] < loss for X binomial(n, p). Every machine finds the same count.
// Requires: 0 < p; n for p = 1.
std::uint32_t binomial_lower(std::uint32_t n, double p, double loss);

}  // namespace neardup
