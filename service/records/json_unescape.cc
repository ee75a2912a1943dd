#include "service/records/json_unescape.h"

#include <cstddef>
#include <cstdint>

#include "pipeline/base/utf8.h"
#include "service/records/unescape_letters.h"

namespace neardup {
namespace {

constexpr char32_t kReplacement = 0xfffd;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool at_unicode(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\\' && bytes[1] == 'u';
}

// The number in `\uXXXX` at the start of `bytes`, or -1.
std::int32_t code_unit(std::string_view bytes) {
  if (bytes.size() < 6 || !at_unicode(bytes)) return -1;
  std::int32_t unit = 0;
  for (std::size_t i = 2; i < 6; ++i) {
    const int digit = hex_digit(bytes[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

// Decodes the \u escape, or surrogate pair of them, at the start of `bytes`. Returns its length, 0
// when it is invalid. `halves`: as of `unescape`.
std::size_t unescape_unicode(std::string_view bytes, char*& to, std::uint64_t* halves) {
  const std::int32_t first = code_unit(bytes);
  if (first < 0) return 0;
  if (first < 0xd800 || first >= 0xe000) {
    to = put_code_point(static_cast<char32_t>(first), to);
    return 6;
  }
  const std::int32_t second = first < 0xdc00 ? code_unit(bytes.substr(6)) : -1;
  if (second >= 0xdc00 && second < 0xe000) {
    to = put_code_point(
        static_cast<char32_t>(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)), to);
    return 12;
  }
  if (halves == nullptr) return 0;
  ++*halves;
  to = put_code_point(kReplacement, to);
  return 6;
}

}  // namespace

bool unescape(std::string_view escaped, std::string& buffer, std::string_view& out,
              std::uint64_t* halves) {
  static const LettersKernel kUnescapeLetters = letters_kernel(SimdLevel::kAuto);
  // An escape is longer than what it stands for.
  if (buffer.size() < escaped.size() + kLettersOverrun) {
    buffer.resize(escaped.size() + kLettersOverrun);
  }
  const char* const end = escaped.data() + escaped.size();
  char* to = buffer.data();
  for (const char* at = escaped.data();;) {
    const LettersRun run = kUnescapeLetters(at, end, to);
    at = run.in;
    to = run.out;
    if (at == end) break;
    // Text that is no English has many of them side by side.
    do {
      const std::size_t length = unescape_unicode({at, end}, to, halves);
      if (length == 0) return false;
      at += length;
    } while (at_unicode({at, end}));
  }
  out = {buffer.data(), to};
  return true;
}

}  // namespace neardup
