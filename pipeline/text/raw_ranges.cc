#include "pipeline/text/raw_ranges.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "pipeline/base/utf8.h"
#include "pipeline/text/unicode_tables.h"

namespace neardup {
namespace {

bool is_white_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Kana, ideographs and Hangul syllables: three bytes each.
bool is_ideographic(std::string_view at) {
  constexpr unsigned char kFirst = 0xe3;  // U+3000
  constexpr unsigned char kLast = 0xed;   // U+D7FF
  const auto lead = static_cast<unsigned char>(at.front());
  return lead >= kFirst && lead <= kLast;
}

// A letter of a script that is written without spaces, which has a boundary before it.
bool is_spaceless_letter(std::string_view text) {
  const char* at = text.data();
  return rule_of(next_code_point(at)).token == TokenClass::kLetter;
}

// The marks of voiced kana, which combine with the character before them.
bool is_kana_mark(std::string_view at) {
  return at.starts_with("\u3099") || at.starts_with("\u309a");
}

// The bytes of the first piece: an ideographic character with its marks, or all up to the next one,
// to a letter of a script without spaces, or to white space.
std::size_t piece_bytes(std::string_view text) {
  std::size_t end = code_point_end(text, 0);
  const bool ideographic = is_ideographic(text);
  while (end < text.size() && !is_white_space(text[end])) {
    const std::string_view rest = text.substr(end);
    if (!is_kana_mark(rest) && (ideographic || is_ideographic(rest))) break;
    if (is_spaceless_letter(rest)) break;
    end = code_point_end(text, end);
  }
  return end;
}

}  // namespace

RawRanges::RawRanges(std::string_view raw, std::string_view normalised, Normaliser& normaliser) {
  std::string made;
  std::size_t done = 0;  // bytes of `normalised`
  for (std::size_t at = 0; at < raw.size();) {
    if (is_white_space(raw[at])) {
      ++at;
      continue;
    }
    const std::string_view piece = raw.substr(at, piece_bytes(raw.substr(at)));
    const std::size_t bytes = normaliser.normalise(piece, normalised.size(), made).bytes;
    at += piece.size();
    if (bytes == 0) continue;
    std::size_t begin = done;
    if (normalised.substr(begin).starts_with(' ')) ++begin;
    if (!normalised.substr(begin).starts_with(std::string_view(made).substr(0, bytes))) break;
    done = begin + bytes;
    pieces_.push_back({{at - piece.size(), at}, {begin, done}});
  }
  // A cut has changed a character after all: the rest is one piece.
  if (done == normalised.size()) return;
  const std::size_t from = pieces_.empty() ? 0 : pieces_.back().raw.end;
  pieces_.push_back({{from, raw.size()}, {done, normalised.size()}});
}

ByteRange RawRanges::raw(ByteRange normalised) const {
  const auto first = std::ranges::upper_bound(
      pieces_, normalised.begin, {}, [](const Piece& piece) { return piece.normalised.end; });
  const auto after = std::ranges::lower_bound(
      pieces_, normalised.end, {}, [](const Piece& piece) { return piece.normalised.begin; });
  return {first->raw.begin, std::prev(after)->raw.end};
}

}  // namespace neardup
