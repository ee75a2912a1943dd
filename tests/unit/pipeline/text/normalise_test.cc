#include "pipeline/text/normalise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/cpu/simd_level.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/utf8.h"

namespace neardup::TEST_FILE {
namespace {

using std::string_literals::operator""s;

constexpr std::size_t kNoLimit = std::size_t{1} << 30;

std::string repeat(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

std::string normalised(std::string_view raw) {
  Normaliser normaliser;
  std::string out;
  const NormalisedText text = normaliser.normalise(raw, kNoLimit, out);
  EXPECT_FALSE(text.too_large);
  return out.substr(0, text.bytes);
}

// Letters `first`–`last` in a fixed disorder.
std::string letters(char32_t first, char32_t last, std::size_t count) {
  std::mt19937 random(12);
  std::string text;
  for (; count > 0; --count) {
    char bytes[4];
    const auto offset = static_cast<char32_t>(random() % (last - first + 1));
    text.append(bytes, put_code_point(first + offset, bytes));
  }
  return text;
}

std::vector<std::string> words(const std::string& normalised) {
  std::istringstream in(normalised);
  return {std::istream_iterator<std::string>(in), {}};
}

std::uint32_t tokens(std::string_view raw) {
  std::string out;
  return Normaliser().normalise(raw, kNoLimit, out).tokens;
}

TEST(Normalise, JoinsLowerCaseWordsByOneSpace) {
  EXPECT_EQ(normalised("  Hello, World_9!\n\tIt's  "), "hello world_9 it s");
  EXPECT_EQ(tokens("  Hello, World_9!\n\tIt's  "), 4U);
}

TEST(Normalise, FindsNoTokenInTextWithoutWords) {
  for (const auto& raw : {""s, " "s, "... !?"s, "\0\0"s, "\u3000\u2014"s, repeat("-", 1000)}) {
    EXPECT_EQ(normalised(raw), "");
    EXPECT_EQ(tokens(raw), 0U);
  }
}

TEST(Normalise, SeparatesAtNulBytes) { EXPECT_EQ(normalised("a\0b\0\0c\0"s), "a b c"); }

TEST(Normalise, TakesOnlyTheUnderscoreOfAsciiPunctuationIntoWords) {
  for (char c = 1; c < 127; ++c) {
    const bool alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    EXPECT_EQ(tokens("x"s + c + "y"), alphanumeric || c == '_' ? 1U : 2U) << static_cast<int>(c);
  }
}

TEST(Normalise, ComposesMarksWithTheAsciiLetterBeforeThem) {
  EXPECT_EQ(normalised("Cafe\u0301 E\u0301t\u00E9"), "caf\u00E9 \u00E9t\u00E9");
  EXPECT_EQ(normalised("a\u0323\u0302"), "\u1EAD");
  EXPECT_EQ(normalised("a\u0302\u0323"), "\u1EAD");
}

TEST(Normalise, ComposesMarksWithAsciiSymbolsToo) {
  EXPECT_EQ(normalised("a=\u0338b"), "a b");
  EXPECT_EQ(normalised("a <\u0338 b>\u0338"), "a b");
  EXPECT_EQ(normalised("a+\u0338b"), "a \u0338b");
}

TEST(Normalise, DropsIgnorableCodePointsInsideWords) {
  EXPECT_EQ(normalised("co\u00ADoperate"), "cooperate");
  EXPECT_EQ(normalised("a\u200Db\uFEFFc\u034F\u0301"), "ab\u0107");
  EXPECT_EQ(normalised("e\u00AD\u0301"), "\u00E9");
  EXPECT_EQ(normalised("\u00AD"), "");
  EXPECT_EQ(normalised("\u2764\uFE0Fx"), "x");
}

TEST(Normalise, FoldsCompatibilityFormsAndCase) {
  EXPECT_EQ(normalised("\uFF28\uFF45\uFF4C\uFF4C\uFF4F \u2126 \uFB01n"), "hello \u03C9 fin");
  EXPECT_EQ(normalised("Stra\u00DFe STRASSE"), "strasse strasse");
  EXPECT_EQ(normalised("\u0130"), "i\u0307");
  EXPECT_EQ(normalised("\uFDFA"),
            "\u0635\u0644\u0649 \u0627\u0644\u0644\u0647 \u0639\u0644\u064A\u0647 "
            "\u0648\u0633\u0644\u0645");
  EXPECT_EQ(normalised("wait\u2026what"), "wait what");
}

TEST(Normalise, MakesEachIdeographAndKanaAToken) {
  EXPECT_EQ(normalised("\u6F22\u5B57\u304B\u306Aabc\u4E00"),
            "\u6F22 \u5B57 \u304B \u306A abc \u4E00");
  EXPECT_EQ(tokens("\u6F22\u5B57\u304B\u306Aabc\u4E00"), 6U);
  EXPECT_EQ(normalised("\u304B\u3099\uFF76\uFF9E"), "\u304C \u30AC");
  EXPECT_EQ(normalised("\U00020000\U0002A6DFx"), "\U00020000 \U0002A6DF x");
  EXPECT_EQ(normalised("\u3002\u3001"), "");
}

TEST(Normalise, KeepsHangulAndIndicWordsWhole) {
  EXPECT_EQ(normalised("\u1112\u1161\u11AB\u1100\u1173\u11AF \uD55C\uAE00"),
            "\uD55C\uAE00 \uD55C\uAE00");
  EXPECT_EQ(tokens("\u0928\u092E\u0938\u094D\u0924\u0947"), 1U);
}

TEST(Normalise, CutsRunsOfScriptsWithoutSpacesByTheirContent) {
  EXPECT_EQ(normalised("\u0E01\u0E02\u0E01\u0E17"), "\u0E01 \u0E02 \u0E01\u0E17");  // Thai
  EXPECT_EQ(normalised("\u0E81\u0E99\u0E81"), "\u0E81 \u0E99\u0E81");               // Lao
  EXPECT_EQ(normalised("\u1780\u179A\u1780"), "\u1780 \u179A\u1780");               // Khmer
  EXPECT_EQ(normalised("\u1019\u1010\u1019"), "\u1019 \u1010\u1019");               // Burmese
  EXPECT_EQ(tokens("\u0E01\u0E02\u0E01\u0E17"), 3U);
  // Marks stay with their letter, and count for nothing.
  EXPECT_EQ(normalised("\u0E01\u0E34\u0E48\u0E02\u0E34"), "\u0E01\u0E34\u0E48 \u0E02\u0E34");
  EXPECT_EQ(normalised("\u0E01\u0E34\u0E48\u0E17\u0E34"), "\u0E01\u0E34\u0E48\u0E17\u0E34");
}

TEST(Normalise, EndsARunOfAScriptWithoutSpacesAtOtherCharacters) {
  EXPECT_EQ(normalised("\u0E01\u0E17 \u0E01\u0E17"), "\u0E01\u0E17 \u0E01\u0E17");
  EXPECT_EQ(normalised("\u0E01abc\u0E01A\u0301\u0E01"), "\u0E01 abc \u0E01 \u00E1 \u0E01");
  EXPECT_EQ(normalised("\u0E01\u0E52\u0E01_\u0E01"), "\u0E01 \u0E52 \u0E01 _ \u0E01");
  EXPECT_EQ(normalised("\u0E01\u6F22\u5B57\u0E01\u304B\u3099"),
            "\u0E01 \u6F22 \u5B57 \u0E01 \u304C");
  EXPECT_EQ(normalised("\u0E01\u0E2F\u0E46"), normalised("\u0E01\u00AD\u0E2F\u200B\u0E46"));
  EXPECT_EQ(normalised("\u0E01\u093E\u0E17"), "\u0E01\u093E\u0E17");  // any mark stays
  EXPECT_EQ(normalised("\u093E\u0E17"), "\u093E \u0E17");
}

TEST(Normalise, CutsOfARunStayWhenAnotherPartIsEdited) {
  const std::string run = letters(0x0E01, 0x0E2E, 400);
  std::string edited = run;
  edited.replace(600, 3, "\u0E0B");
  const std::vector<std::string> before = words(normalised(run));
  const std::vector<std::string> after = words(normalised(edited));
  EXPECT_NEAR(static_cast<double>(before.size()), 400.0 / 3, 40);
  EXPECT_TRUE(std::equal(before.begin(), before.begin() + 40, after.begin()));
  EXPECT_TRUE(std::equal(before.rbegin(), before.rbegin() + 40, after.rbegin()));
}

TEST(Normalise, LeavesCodePointsNewerThanUnicode15AsSeparators) {
  EXPECT_EQ(normalised("a\u1C89b"), "a b");               // Cyrillic capital letter of Unicode 16.0
  EXPECT_EQ(normalised("a\U000E0FFFb\u2065c"), "a b c");  // unassigned, although default-ignorable
  EXPECT_EQ(normalised("a\u0378\u0301"), "a \u0301");
}

TEST(Normalise, CutsARunOfMarksAfterThirty) {
  // 220 and 230 are sorted within a piece only: 15 dots below stand first, then 15 acutes.
  const std::string piece = repeat("\u0301\u0323", 15);
  const std::string sorted = repeat("\u0323", 15) + repeat("\u0301", 15);
  EXPECT_EQ(normalised("q" + piece), "q" + sorted);
  EXPECT_EQ(normalised("q" + piece + piece + "\u0301\u0323"),
            "q" + sorted + sorted + "\u0323\u0301");
  // The letter's own mark counts.
  EXPECT_EQ(normalised("\u0163" + repeat("\u0301", 28) + "\u0323"),
            "\u0163\u0323" + repeat("\u0301", 28));
  EXPECT_EQ(normalised("\u0163" + repeat("\u0301", 29) + "\u0323"),
            "\u0163" + repeat("\u0301", 29) + "\u0323");
}

TEST(Normalise, TakesTextOfExactlyTheLimit) {
  Normaliser normaliser;
  std::string out;
  for (const auto& raw : {"abc def"s, "abc def. "s, "abc \u6F22"s, "abc d\u00E9f\u00E9"s,
                          repeat("long text ", 9000)}) {
    const auto bytes = normalised(raw).size();
    const NormalisedText fits = normaliser.normalise(raw, bytes, out);
    EXPECT_FALSE(fits.too_large);
    EXPECT_EQ(fits.bytes, bytes);
    EXPECT_TRUE(normaliser.normalise(raw, bytes - 1, out).too_large);
    EXPECT_TRUE(normaliser.normalise(raw, 0, out).too_large);
  }
}

TEST(Normalise, StopsAtTheLimitWhenTextExpands) {
  const std::string flood = repeat("\uFDFA", 1'000'000);
  for (std::size_t limit : {0, 1000, 1'000'000}) {
    std::string out;
    EXPECT_TRUE(Normaliser().normalise(flood, limit, out).too_large);
    EXPECT_LE(out.size(), limit + 100'000);
  }
}

TEST(Normalise, WritesOverABufferThatIsLargerThanTheLimit) {
  std::string out(1'000'000, 'x');
  Normaliser normaliser;
  EXPECT_TRUE(normaliser.normalise(repeat("ab ", 10'000), 100, out).too_large);
  const NormalisedText text = normaliser.normalise("Ab", 100, out);
  EXPECT_EQ(out.substr(0, text.bytes), "ab");
}

TEST(Normalise, WritesFromAByteOn) {
  Normaliser normaliser;
  for (const auto& raw : {""s, "Abc, def. "s, "E\u0301t\u00E9"s, "\u6F22\u5B57"s,
                          repeat("long text ", 9000), repeat("\uFDFA", 10'000)}) {
    for (const std::size_t begin : {1, 70, 100'000}) {
      const std::string before = repeat("#", begin);
      std::string out = before;
      const NormalisedText text = normaliser.normalise(raw, kNoLimit, out, begin);
      EXPECT_EQ(out.substr(0, begin), before);
      EXPECT_EQ(out.substr(begin, text.bytes), normalised(raw));
      EXPECT_TRUE(text.bytes == 0 ||
                  normaliser.normalise(raw, text.bytes - 1, out, begin).too_large);
      EXPECT_EQ(out.substr(0, begin), before);
    }
  }
}

TEST(Normalise, KeepsATokenOfTenMegabytes) {
  const std::size_t size = std::size_t{10} << 20;
  EXPECT_EQ(normalised(std::string(size, 'A')), std::string(size, 'a'));
  EXPECT_EQ(tokens(std::string(size, 'A')), 1U);
  EXPECT_EQ(normalised(repeat("\u00C9", size / 2)), repeat("\u00E9", size / 2));
}

TEST(Normalise, KeepsOneSegmentOfTenMegabytes) {
  const std::size_t times = std::size_t{5} << 20;
  EXPECT_EQ(normalised("a" + repeat("\u00AD", times) + "b"), "ab");
  EXPECT_EQ(normalised("e" + repeat("\u00AD", times) + "\u0301\u0301"), "\u00E9\u0301");
}

TEST(Normalise, NeedsAMachineThatHasTheLevel) {
  for (SimdLevel level : {SimdLevel::kPortable, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (has_simd(level)) {
      EXPECT_NO_THROW(Normaliser{level});
    } else {
      EXPECT_THROW(Normaliser{level}, Failure);
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
