// The words of enum options, for printing and parsing. Each folder with such enums has an
// `option_names.h` that defines `names(E)`: the words in the order of the enumerators.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup {

// The word for `value`, as in configuration, rules and messages.
template <typename E>
constexpr std::string_view name(E value) {
  return names(value)[static_cast<std::size_t>(value)];
}

}  // namespace neardup
