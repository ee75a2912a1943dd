// Unescapes the insides of JSON strings.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

// Sets `out` to the text of `escaped`, the inside of a JSON string. The text lies in `buffer`,
// which only grows. False on an unknown escape or a surrogate without its other half.
bool unescape(std::string_view escaped, std::string& buffer, std::string_view& out);

}  // namespace neardup
