// What the JSON parser leaves to its caller: matching the brackets of a skipped value, and
// unescaping strings.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

// True when `json` is one object or array, white space around it allowed, whose strings end and
// whose brackets match in kind. Linear, without recursion. Nothing else between the brackets
// is checked.
bool brackets_match(std::string_view json);

// Unescapes the inside of a JSON string into `out`. False on an unknown escape
// or a surrogate without its other half.
bool unescape(std::string_view escaped, std::string& out);

}  // namespace neardup
