// How many hash functions GENIE needs (Zhou et al. 2018, section 4.2).
#pragma once

#include <cstdint>

namespace neardup::bench {

// Which counts c of m count as "c / m within epsilon of s" in Eqn 9.
enum class CountInterval : std::uint8_t {
  kInside,     // (s − ε)·m <= c <= (s + ε)·m
  kAsPrinted,  // ⌊(s − ε)·m⌋ <= c <= ⌈(s + ε)·m⌉
};

// The least m with Pr[c / m within `epsilon` of `similarity`] >= 1 − `delta`, c being binomial
// (Eqn 9). At least 10.
std::uint32_t least_functions(double similarity, double epsilon, double delta,
                              CountInterval interval);

// m by the bound of Theorem 4.1: 2 · ln(3 / δ) / ε², rounded up.
std::uint32_t functions_by_bound(double epsilon, double delta);

// The paper's choice for epsilon = delta = 0.06.
inline constexpr std::uint32_t kPaperFunctions = 237;

}  // namespace neardup::bench
