// Basic types that every folder uses.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace neardup {

// Arrival number of an input record: 1, 2, 3 … without gaps; 0 means "none". Stored in 40 bits.
using Seq = std::uint64_t;
inline constexpr Seq kMaxSeq = (Seq{1} << 40) - 1;

// Similarities and thresholds that decide are integers in parts per million.
using Ppm = std::uint32_t;
inline constexpr Ppm kOne = 1'000'000;

// Keyed 128-bit hash of a normalised text: equal hash is what "same content" means.
struct Hash128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  auto operator<=>(const Hash128&) const = default;
};

}  // namespace neardup
