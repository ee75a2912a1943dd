#include "pipeline/text/raw_ranges.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <string_view>

namespace neardup::TEST_FILE {
namespace {

constexpr std::size_t kAnySize = std::size_t{1} << 20;

class RawRangesTest : public ::testing::Test {
 protected:
  std::string normalise(std::string_view raw) {
    std::string text;
    text.resize(normaliser_.normalise(raw, kAnySize, text).bytes);
    return text;
  }

  // The raw text of the first `part` of the normalised text.
  std::string raw_of(std::string_view raw, std::string_view part) {
    const std::string text = normalise(raw);
    const std::size_t begin = text.find(part);
    EXPECT_NE(begin, text.npos) << text;
    const RawRanges ranges(raw, text, normaliser_);
    const ByteRange range = ranges.raw({begin, begin + part.size()});
    return std::string(raw.substr(range.begin, range.end - range.begin));
  }

  Normaliser normaliser_;
};

TEST_F(RawRangesTest, WordsAreFoundAsTheyWereWritten) {
  EXPECT_EQ(raw_of("The  CAT,\n(sat)  ", "cat"), "CAT,");
  EXPECT_EQ(raw_of("The  CAT,\n(sat)  ", "the cat sat"), "The  CAT,\n(sat)");
  EXPECT_EQ(raw_of(" \t-- STRASSE straße", "strasse strasse"), "STRASSE straße");
  EXPECT_EQ(raw_of("well-known thing", "known"), "well-known") << "a word too wide at most";
}

TEST_F(RawRangesTest, CharactersOfScriptsWithoutSpacesAreFoundOneByOne) {
  EXPECT_EQ(raw_of("天地玄黄、宇宙洪荒。", "宇 宙"), "宇宙");
  EXPECT_EQ(raw_of("天地玄黄 ABC宇宙", "abc"), "ABC");
  EXPECT_EQ(raw_of("ABCกิขท", "กิ"), "กิ") << "between cuts";
  EXPECT_EQ(raw_of("か\u3099き", normalise("か\u3099")), "か\u3099") << "a mark stays at its kana";
}

TEST_F(RawRangesTest, EveryRangeHoldsWhatItCameFrom) {
  constexpr std::array<std::string_view, 20> kParts = {
      "A", "bc", "É",      "e\u0301", " ",    "\n",   "-", "天", "か", "가",
      "ﬁ", "İ",  "\u3099", "。",      "नमस्ते", "12.5", "ก", "กิข", "น้ำ", "ក្រ"};
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string raw;
    for (std::size_t n = random() % 30; n > 0; --n) raw += kParts[random() % kParts.size()];
    const std::string text = normalise(raw);
    if (text.empty()) continue;
    const RawRanges ranges(raw, text, normaliser_);
    for (int asked = 0; asked < 8; ++asked) {
      const std::size_t begin = random() % text.size();
      const std::size_t end = begin + 1 + random() % (text.size() - begin);
      const std::string_view part = std::string_view(text).substr(begin, end - begin);
      if (part.starts_with(' ') || part.ends_with(' ')) continue;
      const ByteRange range = ranges.raw({begin, end});
      ASSERT_LT(range.begin, range.end) << raw;
      ASSERT_LE(range.end, raw.size()) << raw;
      const std::string found =
          normalise(std::string_view(raw).substr(range.begin, range.end - range.begin));
      ASSERT_NE(found.find(part), found.npos) << raw << " | " << part << " | " << found;
    }
    ASSERT_EQ(normalise(std::string_view(raw).substr(0, ranges.raw({0, text.size()}).end)), text);
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
