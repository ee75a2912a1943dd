// SHA-256: dead letters identify a payload by it, since every system has a tool for it.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

// 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace neardup
