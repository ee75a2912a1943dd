// Cuts runs of letters of scripts that are written without spaces (Thai, Lao, Khmer, Burmese, …),
// by their content (docs/formats/text.md, "Scripts without spaces").
#pragma once

#include <cstdint>

#include "gpu/hd/arithmetic.h"

namespace neardup {

// Whether a token ends between two neighbouring letters of such scripts, folded, with any marks of
// the first one: for a fixed third of all pairs. An edit moves only the cuts next to it.
inline bool cut_between(char32_t letter, char32_t next) {
  constexpr std::uint64_t kThird = ~std::uint64_t{0} / 3;
  return hd::mix64(std::uint64_t{letter} << 32 | next) < kThird;
}

}  // namespace neardup
