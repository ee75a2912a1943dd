#include "pipeline/text/fold_marks.h"

#include <cstddef>

namespace neardup {
namespace {

// All of these marks have two bytes, and their first byte is the first of a code point anywhere.
bool at_mark(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0xD6 || first > 0xD9) return false;
  const auto second = static_cast<unsigned char>(text[at + 1]);
  switch (first) {
    case 0xD6:  // U+0591–05BD 05BF
      return (second >= 0x91 && second <= 0xBD) || second == 0xBF;
    case 0xD7:  // U+05C1–05C2 05C4–05C5 05C7
      return second == 0x81 || second == 0x82 || second == 0x84 || second == 0x85 || second == 0x87;
    case 0xD9:  // U+0640 064B–0652 0670
      return second == 0x80 || (second >= 0x8B && second <= 0x92) || second == 0xB0;
    default:
      return false;
  }
}

std::size_t first_mark(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && !at_mark(text, at)) ++at;
  return at;
}

}  // namespace

bool remove_marks(std::string_view text, std::string& out) {
  std::size_t at = first_mark(text);
  if (at == text.size()) return false;
  out.assign(text, 0, at);
  while (at < text.size()) {
    if (at_mark(text, at)) {
      at += 2;
    } else {
      out += text[at++];
    }
  }
  return true;
}

}  // namespace neardup
