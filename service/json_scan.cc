#include "service/json_scan.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace neardup {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";

// A set of bytes; std::string_view::find_first_of is several times slower.
class ByteSet {
 public:
  constexpr explicit ByteSet(std::string_view bytes) {
    for (const char c : bytes) in_[static_cast<unsigned char>(c)] = true;
  }
  // The first place from `at` on that holds one of them, or the size of `text`.
  std::size_t find(std::string_view text, std::size_t at) const {
    while (at < text.size() && !in_[static_cast<unsigned char>(text[at])]) ++at;
    return at;
  }

 private:
  std::array<bool, 256> in_{};
};
constexpr ByteSet kBrackets("{}[]\""), kStringStops("\"\\");

// The place after the string that begins at `at`, or past the end when it does not end.
std::size_t after_string(std::string_view json, std::size_t at) {
  for (++at; (at = kStringStops.find(json, at)) < json.size(); at += 2) {
    if (json[at] == '"') return at + 1;
  }
  return at;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The number in `\uXXXX` at the start of `bytes`, or -1.
std::int32_t code_unit(std::string_view bytes) {
  if (bytes.size() < 6 || bytes[0] != '\\' || bytes[1] != 'u') return -1;
  std::int32_t unit = 0;
  for (std::size_t i = 2; i < 6; ++i) {
    const int digit = hex_digit(bytes[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

void append_utf8(std::uint32_t code_point, std::string& out) {
  const auto tail = [&](int shift) {
    out.push_back(static_cast<char>(0x80 | ((code_point >> shift) & 0x3f)));
  };
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out.push_back(static_cast<char>(0xc0 | (code_point >> 6)));
    tail(0);
  } else if (code_point < 0x10000) {
    out.push_back(static_cast<char>(0xe0 | (code_point >> 12)));
    tail(6), tail(0);
  } else {
    out.push_back(static_cast<char>(0xf0 | (code_point >> 18)));
    tail(12), tail(6), tail(0);
  }
}

// Reads the \u escape, or the pair of them, at the start of `bytes`; its length, 0 when it is
// wrong.
std::size_t unescape_unicode(std::string_view bytes, std::string& out) {
  const std::int32_t first = code_unit(bytes);
  if (first < 0 || (first >= 0xdc00 && first < 0xe000)) return 0;
  if (first < 0xd800 || first >= 0xe000) {
    append_utf8(static_cast<std::uint32_t>(first), out);
    return 6;
  }
  const std::int32_t second = code_unit(bytes.substr(6));
  if (second < 0xdc00 || second >= 0xe000) return 0;
  append_utf8(static_cast<std::uint32_t>(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)),
              out);
  return 12;
}

std::size_t unescape_one(std::string_view bytes, std::string& out) {
  if (bytes.size() < 2) return 0;
  constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t name = kNames.find(bytes[1]);
  if (name == kNames.npos) return unescape_unicode(bytes, out);
  out.push_back(kMeanings[name]);
  return 2;
}

}  // namespace

bool brackets_match(std::string_view json) {
  std::string open;  // the closing brackets still awaited
  std::size_t at = json.find_first_not_of(kWhiteSpace);
  if (at == json.npos || (json[at] != '{' && json[at] != '[')) return false;
  do {
    switch (json[at]) {
      case '{':
        open.push_back('}'), ++at;
        break;
      case '[':
        open.push_back(']'), ++at;
        break;
      case '"':
        at = after_string(json, at);
        break;
      default:
        if (open.back() != json[at]) return false;
        open.pop_back(), ++at;
    }
    if (open.empty()) return json.find_first_not_of(kWhiteSpace, at) == json.npos;
    at = kBrackets.find(json, at);
  } while (at < json.size());
  return false;
}

bool unescape(std::string_view escaped, std::string& out) {
  out.clear();
  while (true) {
    const std::size_t plain = escaped.find('\\');
    out.append(escaped.substr(0, plain));
    if (plain == escaped.npos) return true;
    escaped.remove_prefix(plain);
    const std::size_t length = unescape_one(escaped, out);
    if (length == 0) return false;
    escaped.remove_prefix(length);
  }
}

}  // namespace neardup
