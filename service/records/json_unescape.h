// Unescapes the insides of JSON strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

// Sets `out` to the text of `escaped`, the inside of a JSON string. The text lies in `buffer`,
// which only grows. False on an unknown escape, and on a surrogate without its other half unless
// `halves` is given: then it becomes U+FFFD and is counted there.
bool unescape(std::string_view escaped, std::string& buffer, std::string_view& out,
              std::uint64_t* halves = nullptr);

}  // namespace neardup
