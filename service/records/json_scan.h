// Matches the brackets of a skipped value, which the JSON parser leaves to its caller.
#pragma once

#include <string_view>

namespace neardup {

// True when `json` is one object or array, white space around it allowed, whose strings end and
// whose brackets match in kind. Linear, without recursion. Nothing else between the brackets
// is checked.
bool brackets_match(std::string_view json);

}  // namespace neardup
