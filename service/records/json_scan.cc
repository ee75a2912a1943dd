#include "service/records/json_scan.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <cstddef>
#include <cstdint>

#include "pipeline/text/utf8.h"

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

// What the escapes of one letter stand for; 0 for other letters.
constexpr std::array<char, 256> kMeanings = [] {
  std::array<char, 256> meanings{};
  constexpr std::string_view kNames = "\"\\/bfnrt", kBytes = "\"\\/\b\f\n\r\t";
  for (std::size_t i = 0; i < kNames.size(); ++i)
    meanings[static_cast<unsigned char>(kNames[i])] = kBytes[i];
  return meanings;
}();

// Decodes the \u escape, or surrogate pair of them, at the start of `bytes`. Returns its length, 0
// when it is invalid.
std::size_t unescape_unicode(std::string_view bytes, char*& to) {
  const std::int32_t first = code_unit(bytes);
  if (first < 0 || (first >= 0xdc00 && first < 0xe000)) return 0;
  if (first < 0xd800 || first >= 0xe000) {
    to = put_code_point(static_cast<char32_t>(first), to);
    return 6;
  }
  const std::int32_t second = code_unit(bytes.substr(6));
  if (second < 0xdc00 || second >= 0xe000) return 0;
  to = put_code_point(static_cast<char32_t>(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)),
                      to);
  return 12;
}

std::size_t unescape_one(std::string_view bytes, char*& to) {
  if (bytes.size() < 2) return 0;
  const char meaning = kMeanings[static_cast<unsigned char>(bytes[1])];
  if (meaning == 0) return unescape_unicode(bytes, to);
  *to++ = meaning;
  return 2;
}

// Copies up to the next backslash or the end. Escapes are some 75 bytes apart in prose: calls of
// memchr and memcpy for each would take longer than these few vectors.
void copy_plain(const char*& at, const char* end, char*& to) {
#if defined(__SSE2__)
  const __m128i backslash = _mm_set1_epi8('\\');
  for (; end - at >= 32; at += 32, to += 32) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), low);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 16), high);
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(low, backslash))) |
                       static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(high, backslash)))
                           << 16;
    if (found == 0) continue;
    at += __builtin_ctz(found);
    to += __builtin_ctz(found);
    return;
  }
#endif
  while (at != end && *at != '\\') *to++ = *at++;
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
  out.resize(escaped.size());  // an escape is longer than what it stands for
  const char* at = escaped.data();
  const char* const end = at + escaped.size();
  char* to = out.data();
  for (copy_plain(at, end, to); at != end; copy_plain(at, end, to)) {
    const std::size_t length = unescape_one({at, static_cast<std::size_t>(end - at)}, to);
    if (length == 0) return false;
    at += length;
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
  return true;
}

}  // namespace neardup
