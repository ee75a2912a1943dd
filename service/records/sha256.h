// SHA-256: dead letters identify a payload by it, since every system has a tool for it; the page
// names its files by it.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

// 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);
// As the policies of web pages have it.
std::string sha256_base64(std::string_view bytes);

}  // namespace neardup
