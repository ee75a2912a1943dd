// UTF-8 validation and repair. Validation is simdjson's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

bool valid_utf8(std::string_view bytes);

// Copies `bytes` with each maximal ill-formed part replaced by U+FFFD (Unicode 15.0, §3.9, table 3-8;
// what browsers do). Returns how many were replaced.
std::uint64_t replace_invalid_utf8(std::string_view bytes, std::string& out);

// Code points of valid UTF-8.
std::uint64_t count_code_points(std::string_view utf8);

}  // namespace neardup
