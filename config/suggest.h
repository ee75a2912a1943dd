// "did you mean": keys that resemble what was typed, and quoting of what was typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neardup {

// The key that `typed` most resembles, by spelling or by the name other tools give it; "" when none
// does.
std::string_view similar_key(std::string_view typed);

// The same for the name of an environment variable without NEARDUP_.
std::string_view similar_variable(std::string_view typed);

// The section that `typed` most resembles, or "".
std::string_view similar_section(std::string_view typed);

// The one of `names` that `typed` most resembles, or "".
std::string_view similar_name(std::string_view typed, const std::vector<std::string>& names);

// `text` in backquotes, cut after 60 bytes; backquotes and control characters become \xNN.
std::string quote(std::string_view text);

}  // namespace neardup
