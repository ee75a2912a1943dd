// The words of enums, for printing and parsing. `names(E)` gives them in the order of the
// enumerators; it is next to the enum.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup {

// The word for `value`, as in configuration, rules, records, metrics and messages.
template <typename E>
constexpr std::string_view name(E value) {
  return names(value)[static_cast<std::size_t>(value)];
}

}  // namespace neardup
