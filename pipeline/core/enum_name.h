// Options that are enums print and parse by one list of words. Beside each enum's header stands an
// `option_names.h` with `names(E)`: its words in the order of the enumerators.
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
