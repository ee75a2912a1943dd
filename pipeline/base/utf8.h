// UTF-8 validation and repair. Validation is simdjson's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

bool valid_utf8(std::string_view bytes);

// Copies `bytes` with each maximal ill-formed part replaced by U+FFFD (Unicode 15.0, §3.9, table
// 3-8; what browsers do). Returns how many were replaced.
std::uint64_t replace_invalid_utf8(std::string_view bytes, std::string& out);

// Code points of valid UTF-8.
std::uint64_t count_code_points(std::string_view utf8);

// Whether a byte of UTF-8 is within a code point, not its first.
constexpr bool continues_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// The end of the code point that begins at `begin`. Requires: begin < text.size().
constexpr std::size_t code_point_end(std::string_view text, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text.size() && continues_code_point(text[end])) ++end;
  return end;
}

// Returns the code point at `at` and moves `at` behind it. Requires: valid UTF-8 at `at`.
inline char32_t next_code_point(const char*& at) {
  const auto byte = [&at](int i) {
    return static_cast<char32_t>(static_cast<unsigned char>(at[i]));
  };
  const char32_t first = byte(0);
  if (first < 0x80) {
    at += 1;
    return first;
  }
  if (first < 0xE0) {
    const char32_t c = (first & 0x1F) << 6 | (byte(1) & 0x3F);
    at += 2;
    return c;
  }
  if (first < 0xF0) {
    const char32_t c = (first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    at += 3;
    return c;
  }
  const char32_t c =
      (first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  at += 4;
  return c;
}

// Writes up to 4 bytes at `to` and returns the end. Requires: a Unicode scalar value.
inline char* put_code_point(char32_t c, char* to) {
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    *to++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *to++ = static_cast<char>(0xC0 | c >> 6);
    *to++ = tail(0);
  } else if (c < 0x10000) {
    *to++ = static_cast<char>(0xE0 | c >> 12);
    *to++ = tail(6);
    *to++ = tail(0);
  } else {
    *to++ = static_cast<char>(0xF0 | c >> 18);
    *to++ = tail(12);
    *to++ = tail(6);
    *to++ = tail(0);
  }
  return to;
}

}  // namespace neardup
