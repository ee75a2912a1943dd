#include "service/records/json_scan.h"

#include <array>
#include <cstddef>
#include <string>

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

}  // namespace neardup
