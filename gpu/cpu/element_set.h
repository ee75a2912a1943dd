// The set of a document's shingle elements, for exact comparison.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

// The elements sorted and each once. Linear for what keyed hashes give; never worse than std::sort
// on elements that somebody chose.
std::vector<std::uint64_t> element_set(std::span<const std::uint64_t> elements);

}  // namespace neardup
