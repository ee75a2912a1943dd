// Names that are compared without regard to case, in ASCII alone: schemes, hosts, codings.
#pragma once

#include <algorithm>
#include <string_view>

namespace neardup {

constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, ascii_lower, ascii_lower);
}

constexpr bool starts_ignoring_case(std::string_view text, std::string_view start) {
  return equal_ignoring_case(text.substr(0, start.size()), start);
}

}  // namespace neardup
