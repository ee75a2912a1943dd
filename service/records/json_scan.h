// What the JSON parser leaves to its caller: whether the brackets of a skipped value match, and
// what a string with escapes says.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

// True when `json` is one object or array, white space around it allowed, whose strings end and
// whose brackets match in kind. Linear, without recursion. What stands between the brackets is not
// looked at.
bool brackets_match(std::string_view json);

// The bytes that the inside of a JSON string stands for, in `out`. False on an unknown escape
// or a surrogate without its other half.
bool unescape(std::string_view escaped, std::string& out);

}  // namespace neardup
