// Many queries in pieces whose answers take bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace neardup {

struct PieceLimits {
  std::size_t lines = 1024;                  // Requires: > 0
  std::size_t bytes = std::size_t{1} << 20;  // after which a piece ends
};

// So many queries at once that their answers have at most `hits` hits, `k` each, but one at least.
PieceLimits pieces_of(std::size_t hits, std::uint32_t k);

// Takes the next lines, with their ends, away from the front of `rest`; blank ones before them are
// dropped. "": there is none. A line is never divided.
std::string_view take_lines(std::string_view& rest, const PieceLimits& limits);

}  // namespace neardup
