// SHA-256, so that a payload can be named by what every system has a tool for.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

// 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace neardup
