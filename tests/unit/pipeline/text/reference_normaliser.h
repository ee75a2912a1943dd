// docs/formats/text.md written down in the plainest way: ICU over the whole text, properties asked
// from ICU for every code point, no tables of ours and no fast paths.
#pragma once

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::test {

inline std::vector<UChar32> code_points(std::string_view utf8) {
  const auto text = icu::UnicodeString::fromUTF8(
      icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())));
  std::vector<UChar32> result;
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    result.push_back(text.char32At(i));
  return result;
}

inline std::string utf8(const std::vector<UChar32>& code_points) {
  std::string result;
  icu::UnicodeString::fromUTF32(code_points.data(), static_cast<int32_t>(code_points.size()))
      .toUTF8String(result);
  return result;
}

class ReferenceNormaliser {
 public:
  struct Text {
    std::string bytes;
    std::uint32_t tokens = 0;
    bool operator==(const Text&) const = default;
  };

  Text normalise(std::string_view raw) const {
    std::vector<std::string> tokens;
    bool open = false;   // the last token may grow
    UChar32 letter = 0;  // of a script without spaces, the last one of an open token
    for (UChar32 c : code_points(fold(raw))) {
      if (!is_word(c)) {
        open = false;
        continue;
      }
      const bool single = in_single_range(c);
      const bool spaceless = is_spaceless_letter(c);
      if (!open) letter = 0;
      if (spaceless) {
        open = open && letter != 0 && !cut_between(letter, c);
      } else if (letter != 0 && (single || !is_mark(c))) {
        open = false;
      }
      if (!open || single) tokens.emplace_back();
      tokens.back() += utf8({c});
      if (spaceless) {
        letter = c;
      } else if (!is_mark(c)) {
        letter = 0;
      }
      open = !single;
    }
    Text text{.bytes = {}, .tokens = static_cast<std::uint32_t>(tokens.size())};
    for (const auto& token : tokens) text.bytes += (text.bytes.empty() ? "" : " ") + token;
    return text;
  }

  // `text.fold: marks`.
  Text normalise_without_marks(std::string_view raw) const {
    const Text text = normalise(without_marks(raw));
    const std::string without = without_marks(text.bytes);
    return without == text.bytes ? text : normalise(without);
  }

  static std::string without_marks(std::string_view raw) {
    constexpr UChar32 kRanges[][2] = {{0x591, 0x5BD}, {0x5BF, 0x5BF}, {0x5C1, 0x5C2},
                                      {0x5C4, 0x5C5}, {0x5C7, 0x5C7}, {0x640, 0x640},
                                      {0x64B, 0x652}, {0x670, 0x670}};
    std::vector<UChar32> kept = code_points(raw);
    std::erase_if(kept, [&](UChar32 c) {
      return std::any_of(std::begin(kRanges), std::end(kRanges),
                         [c](const UChar32* range) { return range[0] <= c && c <= range[1]; });
    });
    return utf8(kept);
  }

  // NFKC_Casefold of Unicode 15.0, in pieces where more than 30 non-starters follow each other.
  std::string fold(std::string_view raw) const {
    std::string folded;
    std::vector<UChar32> piece;
    std::size_t marks = 0;
    for (UChar32 c : code_points(raw)) {
      const std::vector<UChar32> parts = decomposition(c);
      const auto starter = [](UChar32 part) { return u_getCombiningClass(part) == 0; };
      const auto lead = static_cast<std::size_t>(std::find_if(parts.begin(), parts.end(), starter) -
                                                 parts.begin());
      const auto trail = static_cast<std::size_t>(
          std::find_if(parts.rbegin(), parts.rend(), starter) - parts.rbegin());
      if (marks + lead > 30) {
        folded += fold_whole(utf8(piece));
        piece.clear();
        marks = 0;
      }
      piece.push_back(c);
      marks = lead == parts.size() ? marks + lead : trail;
    }
    return folded + fold_whole(utf8(piece));
  }

  std::string fold_whole(std::string_view text) const {
    std::string folded;
    icu::StringByteSink<std::string> sink(&folded);
    UErrorCode error = U_ZERO_ERROR;
    const auto size = static_cast<int32_t>(text.size());
    static_cast<const icu::Normalizer2&>(nfkc_cf_).normalizeUTF8(
        0, icu::StringPiece(text.data(), size), sink, nullptr, error);
    return U_SUCCESS(error) ? folded : "ICU failed";
  }

  std::vector<UChar32> decomposition(UChar32 c) const {
    UErrorCode error = U_ZERO_ERROR;
    const auto folded = icu::UnicodeString::fromUTF8(fold_whole(utf8({c})));
    std::string parts;
    nfd_.normalize(folded, error).toUTF8String(parts);
    return code_points(parts);
  }

  bool assigned(UChar32 c) const { return age_.contains(c); }

  bool is_word(UChar32 c) const {
    return assigned(c) && (u_hasBinaryProperty(c, UCHAR_ALPHABETIC) ||
                           (U_GET_GC_MASK(c) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0);
  }

  static bool is_mark(UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

  // Line_Break=Complex_Context in Unicode 15.0, Alphabetic, and no mark.
  static bool is_spaceless_letter(UChar32 c) {
    constexpr UChar32 kRanges[][2] = {
        {0x0E01, 0x0E30},  {0x0E32, 0x0E33}, {0x0E40, 0x0E46}, {0x0E81, 0x0E82}, {0x0E84, 0x0E84},
        {0x0E86, 0x0E8A},  {0x0E8C, 0x0EA3}, {0x0EA5, 0x0EA5}, {0x0EA7, 0x0EB0}, {0x0EB2, 0x0EB3},
        {0x0EBD, 0x0EBD},  {0x0EC0, 0x0EC4}, {0x0EC6, 0x0EC6}, {0x0EDC, 0x0EDF}, {0x1000, 0x102A},
        {0x103F, 0x103F},  {0x1050, 0x1055}, {0x105A, 0x105D}, {0x1061, 0x1061}, {0x1065, 0x1066},
        {0x106E, 0x1070},  {0x1075, 0x1081}, {0x108E, 0x108E}, {0x1780, 0x17B3}, {0x17D7, 0x17D7},
        {0x17DC, 0x17DC},  {0x1950, 0x196D}, {0x1970, 0x1974}, {0x1980, 0x19AB}, {0x19B0, 0x19C9},
        {0x1A20, 0x1A54},  {0x1AA7, 0x1AA7}, {0xA9E0, 0xA9E4}, {0xA9E6, 0xA9EF}, {0xA9FA, 0xA9FE},
        {0xAA60, 0xAA76},  {0xAA7A, 0xAA7A}, {0xAA7E, 0xAAAF}, {0xAAB1, 0xAAB1}, {0xAAB5, 0xAAB6},
        {0xAAB9, 0xAABD},  {0xAAC0, 0xAAC0}, {0xAAC2, 0xAAC2}, {0xAADB, 0xAADD}, {0x11700, 0x1171A},
        {0x11740, 0x11746}};
    return std::any_of(std::begin(kRanges), std::end(kRanges),
                       [c](const UChar32* range) { return range[0] <= c && c <= range[1]; });
  }

  static bool cut_between(UChar32 letter, UChar32 next) {
    auto z = static_cast<std::uint64_t>(letter) * 0x100000000U + static_cast<std::uint64_t>(next);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    z ^= z >> 31;
    return z < 0x5555555555555555U;
  }

  static bool in_single_range(UChar32 c) {
    constexpr UChar32 kRanges[][2] = {{0x3005, 0x3007},   {0x3021, 0x3029},  {0x3031, 0x3035},
                                      {0x3038, 0x303C},   {0x3040, 0x30FF},  {0x31F0, 0x31FF},
                                      {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},  {0xF900, 0xFAFF},
                                      {0x1AFF0, 0x1B16F}, {0x20000, 0x3FFFF}};
    return std::any_of(std::begin(kRanges), std::end(kRanges),
                       [c](const UChar32* range) { return range[0] <= c && c <= range[1]; });
  }

  const icu::Normalizer2& nfkc_cf() const { return nfkc_cf_; }

 private:
  UErrorCode error_ = U_ZERO_ERROR;
  icu::UnicodeSet age_{icu::UnicodeString("[:Age=15.0:]"), error_};
  icu::FilteredNormalizer2 nfkc_cf_{*icu::Normalizer2::getNFKCCasefoldInstance(error_), age_};
  const icu::Normalizer2& nfd_ = *icu::Normalizer2::getNFDInstance(error_);
};

}  // namespace neardup::test
