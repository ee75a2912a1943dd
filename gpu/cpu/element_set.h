// The set of a document's shingle elements, for exact comparison.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

// The elements, sorted and without repeats. Linear time for keyed hashes, and no worse than
// std::sort for elements that an attacker chose.
std::vector<std::uint64_t> element_set(std::span<const std::uint64_t> elements);

}  // namespace neardup
