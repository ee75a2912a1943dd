// docs/formats/text.md written down in the plainest way: ICU over the whole text, properties asked
// from ICU for every code point, no tables of ours and no fast paths.
#pragma once

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>

#include <algorithm>
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
    bool open = false;  // the last token may grow
    for (UChar32 c : code_points(fold(raw))) {
      const bool single = in_single_range(c);
      if (!is_word(c)) {
        open = false;
        continue;
      }
      if (!open || single) tokens.emplace_back();
      tokens.back() += utf8({c});
      open = !single;
    }
    Text text{.bytes = {}, .tokens = static_cast<std::uint32_t>(tokens.size())};
    for (const auto& token : tokens) text.bytes += (text.bytes.empty() ? "" : " ") + token;
    return text;
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
