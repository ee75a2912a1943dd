#include "pipeline/base/json_object.h"

#include <fmt/format.h>

#include <array>

#include "pipeline/base/utf8.h"

namespace neardup {
namespace {

// What follows the backslash of a character; 0: it stands as it is.
constexpr auto kEscapes = [] {
  std::array<char, 256> escapes{};
  for (std::size_t control = 0; control < 0x20; ++control) escapes[control] = 'u';
  constexpr std::string_view kShort = "\"\"\\\\\bb\ff\nn\rr\tt";
  for (std::size_t i = 0; i < kShort.size(); i += 2)
    escapes[static_cast<unsigned char>(kShort[i])] = kShort[i + 1];
  return escapes;
}();

char escape_of(char c) { return kEscapes[static_cast<unsigned char>(c)]; }

constexpr std::size_t kSlice = 1024;    // bytes that are escaped at once
constexpr std::size_t kMostOfByte = 6;  // \u00XX

// Writes `c` at `out`, and returns what follows it.
char* put(char c, char* out) {
  const char escape = escape_of(c);
  if (escape == 0) {
    *out++ = c;
    return out;
  }
  *out++ = '\\';
  *out++ = escape;
  return escape == 'u' ? fmt::format_to(out, "{:04X}", static_cast<unsigned>(c)) : out;
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  std::array<char, kSlice * kMostOfByte> escaped;
  out += '"';
  for (std::size_t at = 0; at < text.size(); at += kSlice) {
    char* end = escaped.data();
    for (const char c : text.substr(at, kSlice)) end = put(c, end);
    out.append(escaped.data(), end);
  }
  out += '"';
}

std::string json_text(std::string_view value) {
  std::string valid;
  replace_invalid_utf8(value, valid);
  std::string quoted;
  append_json_string(valid, quoted);
  return quoted;
}

std::string json_texts(std::span<const std::string> values) {
  std::string array;
  for (const std::string& value : values) {
    array += array.empty() ? '[' : ',';
    array += json_text(value);
  }
  return array.empty() ? "[]" : array + ']';
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  return json(name, json_text(value));
}

JsonObject& JsonObject::json(std::string_view name, std::string_view value) {
  body_ += fmt::format("{}\"{}\":{}", body_.size() > 1 ? "," : "", name, value);
  return *this;
}

}  // namespace neardup
