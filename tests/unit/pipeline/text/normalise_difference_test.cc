// Every SIMD level and every fast path against ICU over the whole text.
#include <gtest/gtest.h>

#include <random>

#include "gpu/cpu/simd_level.h"
#include "gpu/options.h"
#include "pipeline/text/normalise.h"
#include "pipeline/text/unicode_tables.h"
#include "tests/unit/pipeline/text/reference_normaliser.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::size_t kNoLimit = std::size_t{1} << 30;

struct Pool {
  UChar32 first;
  UChar32 last;
};
constexpr Pool kPools[] = {
    {0x20, 0x7E},       {'a', 'z'},
    {'A', 'Z'},         {0x00, 0x7F},  // ASCII
    {0x80, 0x24F},      {0x300, 0x36F},
    {0x300, 0x345},     {0x370, 0x3FF},  // Latin, marks, Greek
    {0x400, 0x52F},     {0x5B0, 0x5C7},
    {0x600, 0x6FF},     {0x900, 0x97F},  // Cyrillic … Devanagari
    {0x9BE, 0x9D7},     {0xB3E, 0xB57},
    {0xC46, 0xC56},     {0xD3E, 0xDDF},  // marks that compose
    {0xE00, 0xE7F},     {0xE80, 0xEFF},
    {0xF00, 0xFBC},     {0x1000, 0x109F},  // Thai … Myanmar
    {0x1100, 0x11FF},   {0x1100, 0x1112},
    {0x1161, 0x1175},   {0x11A8, 0x11C2},  // jamo
    {0xAC00, 0xD7FF},   {0x1B05, 0x1B43},
    {0x1AB0, 0x1AFF},   {0x1DC0, 0x1EFF},  // Hangul … Vietnamese
    {0x1F00, 0x1FFF},   {0x2000, 0x206F},
    {0x20D0, 0x20FF},   {0x2100, 0x24FF},  // Greek, ignorables, symbols
    {0x3000, 0x30FF},   {0x3040, 0x309F},
    {0x3099, 0x309A},   {0x3130, 0x33FF},  // kana
    {0x4E00, 0x9FFF},   {0xA66F, 0xA6F1},
    {0xE000, 0xE010},   {0xF900, 0xFAFF},  // ideographs
    {0xFB00, 0xFB4F},   {0xFB50, 0xFDFF},
    {0xFDFA, 0xFDFB},   {0xFE00, 0xFE0F},  // ligatures, selectors
    {0xFE70, 0xFEFF},   {0xFF00, 0xFFEF},
    {0xFFF0, 0xFFFF},   {0x10000, 0x10FFF},  // widths
    {0x11000, 0x11FFF}, {0x1109A, 0x110BA},
    {0x16D40, 0x16D7F}, {0x1AFF0, 0x1B2FF},  // composing pairs
    {0x1D150, 0x1D1FF}, {0x1D400, 0x1D7FF},
    {0x1E900, 0x1E95F}, {0x1F100, 0x1F6FF},  // music, mathematics, emoji
    {0x20000, 0x20100}, {0x2F800, 0x2FA1F},
    {0x31350, 0x323C0}, {0xE0000, 0xE01EF},  // astral planes
    {0x00AD, 0x00AD},   {0x034F, 0x034F},
    {0x200B, 0x200F},   {0x0000, 0x10FFFF},  // anything
    {0x0E01, 0x0E3A},   {0x1000, 0x103E},
    {0x1780, 0x17DD},   {0x1A20, 0x1AAD},
    {0xAA60, 0xAADF},   {0x11700, 0x11746},  // without spaces: Thai, Burmese, Khmer … Ahom
    {0x0334, 0x0338},   {0x0340, 0x0345},
    {0x3C, 0x3E},       {0x0F71, 0x0F84},  // overlays; < = >
};

class Levels {
 public:
  Levels() {
    for (SimdLevel level : {SimdLevel::kPortable, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
      if (has_simd(level)) levels_.push_back({level, Normaliser(level)});
    }
  }

  // The raw bytes are copied to a block of exactly their size, so that a sanitizer sees reads past
  // the end.
  void expect(std::string_view raw, const test::ReferenceNormaliser::Text& wanted) {
    const std::vector<char> block(raw.begin(), raw.end());
    for (auto& [level, normaliser] : levels_) {
      const NormalisedText text =
          normaliser.normalise({block.data(), block.size()}, kNoLimit, out_);
      ASSERT_FALSE(text.too_large);
      ASSERT_EQ(out_.substr(0, text.bytes), wanted.bytes) << name(level) << ": " << shown(raw);
      ASSERT_EQ(text.tokens, wanted.tokens) << name(level) << ": " << shown(raw);
    }
  }

 private:
  static std::string shown(std::string_view raw) {
    std::string text;
    for (UChar32 c : test::code_points(raw)) {
      char number[16];
      std::snprintf(number, sizeof number, "%04X ", static_cast<unsigned>(c));
      text += number;
    }
    return text;
  }

  std::vector<std::pair<SimdLevel, Normaliser>> levels_;
  std::string out_;
};

class NormaliseDifference : public testing::Test {
 protected:
  void expect_same(std::string_view raw) { levels_.expect(raw, reference_.normalise(raw)); }

  UChar32 code_point(const Pool& pool) {
    const auto width = static_cast<unsigned>(pool.last - pool.first + 1);
    const auto c = pool.first + static_cast<UChar32>(random_() % width);
    return U_IS_SURROGATE(c) ? 'x' : c;
  }

  // A few pools, in runs: neighbours of one kind and borders between kinds.
  std::string random_text() {
    std::vector<Pool> pools;
    for (auto n = 1 + random_() % 5; n > 0; --n)
      pools.push_back(kPools[random_() % std::size(kPools)]);
    std::vector<UChar32> text;
    for (auto runs = random_() % 12; runs > 0; --runs) {
      const Pool& pool = pools[random_() % pools.size()];
      for (auto n = 1 + random_() % (random_() % 4 == 0 ? 80 : 4); n > 0; --n)
        text.push_back(code_point(pool));
    }
    return test::utf8(text);
  }

  static constexpr unsigned kSeed = 15;
  std::mt19937 random_{kSeed};
  test::ReferenceNormaliser reference_;
  Levels levels_;
};

TEST_F(NormaliseDifference, RandomMixesEqualIcu) {
  for (int i = 0; i < 10000 && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", text " << i);
    expect_same(random_text());
  }
}

TEST_F(NormaliseDifference, EveryCodePointAloneAndBesideLettersAndMarksEqualsIcu) {
  for (UChar32 c = 0; c < 0x110000 && !HasFatalFailure(); ++c) {
    // Planes of ideographs and private use behave alike: a sample is enough.
    if (U_IS_SURROGATE(c) || (c > 0x20100 && c % 61 != 0 && (c < 0xE0000 || c > 0xE0FFF))) continue;
    expect_same(test::utf8({c, ' ', 'A', c, 'B', c, 0x301, c, c, 0x3099, 0x323, c, 0x1161, c}));
  }
}

TEST_F(NormaliseDifference, EveryMarkBehindAsciiEqualsIcu) {
  for (UChar32 ascii = 0; ascii < 0x80 && !HasFatalFailure(); ++ascii) {
    for (UChar32 mark = 0x300; mark < 0x370; ++mark)
      expect_same(test::utf8({'x', ascii, mark, ascii, mark, 'y'}));
  }
}

TEST_F(NormaliseDifference, EveryOffsetAroundBlockBordersEqualsIcu) {
  const std::vector<std::vector<UChar32>> pieces = {{},
                                                    {0x301},
                                                    {0xAD},
                                                    {0xE9},
                                                    {0x4E00},
                                                    {0x1161},
                                                    {0x304B, 0x3099},
                                                    {0xDF},
                                                    {0x338},
                                                    {0x1F600},
                                                    {0x301, 0x323},
                                                    {0xE01EF},
                                                    {0x378, 0x301},
                                                    {0x2026},
                                                    {0x85},
                                                    {0xFDFA, 0x64B},
                                                    {0x345},
                                                    {0xFEFF},
                                                    {0x1100, 0x1161}};
  for (std::size_t offset = 0; offset <= 130 && !HasFatalFailure(); ++offset) {
    std::string words;
    std::string spaces;
    while (words.size() < offset) {
      words += "Abc_9 d, "[random_() % 9];
      spaces += random_() % 4 == 0 ? 'Z' : ' ';
    }
    for (const auto& piece : pieces) {
      const std::string middle = test::utf8(piece);
      expect_same(words + middle);
      expect_same(spaces + middle + words);
      expect_same(middle + words + middle + spaces);
    }
  }
}

TEST_F(NormaliseDifference, RunsOfMarksAreCutAsTheDefinitionSays) {
  // Marks of one and of two code points, ignorables between them, letters that end with marks.
  const UChar32 parts[] = {0x301, 0x323,  0x344,  0xF73, 0xAD, 0x34F,
                           0x345, 0x3099, 0x1E69, 0xE7,  0x94D};
  for (int i = 0; i < 3000 && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", text " << i);
    std::vector<UChar32> text;
    if (random_() % 2 == 0) text.push_back("aQ=."[random_() % 4]);
    const auto kinds = 2 + random_() % (std::size(parts) - 1);
    for (auto n = 20 + random_() % 90; n > 0; --n) text.push_back(parts[random_() % kinds]);
    expect_same(test::utf8(text) + "tail");
  }
}

TEST_F(NormaliseDifference, EveryLetterWithOneOrTwoAccentsEqualsIcu) {
  for (UChar32 mark = 0x300; mark <= 0x346 && !HasFatalFailure(); ++mark) {
    std::vector<UChar32> text;
    for (UChar32 letter = 0; letter < 0x2000; letter = letter == 0x590 ? 0x1E00 : letter + 1) {
      for (UChar32 c : {letter, mark, 0x2D, letter, 0xAD, mark, mark ^ 1, letter})
        text.push_back(c);
    }
    expect_same(test::utf8(text));
  }
}

TEST_F(NormaliseDifference, LettersWithSeveralMarksOfAnyKindEqualIcu) {
  std::vector<UChar32> letters{'a', 'e', 'Q', '='};
  std::vector<UChar32> marks;
  for (UChar32 c = 0x80; c < 0x20000; ++c) {
    const CodePointRule& rule = rule_of(static_cast<char32_t>(c));
    if (rule.only_marks && rule.lead != 0) {
      marks.push_back(c);
    } else if (rule.trail != 0 || random_() % 64 == 0) {
      letters.push_back(U_IS_SURROGATE(c) ? 'x' : c);
    }
  }
  for (int i = 0; i < 30'000 && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", text " << i);
    std::vector<UChar32> text;
    while (text.size() < 20) {
      text.push_back(letters[random_() % letters.size()]);
      for (auto n = random_() % 5; n > 0; --n) {
        const bool frequent = random_() % 2 == 0;
        text.push_back(frequent ? static_cast<UChar32>(0x300 + random_() % 0x45)
                                : marks[random_() % marks.size()]);
      }
    }
    expect_same(test::utf8(text));
  }
}

TEST_F(NormaliseDifference, LongAsciiTextEqualsIcu) {
  for (std::size_t size : {1000, 16383, 16384, 16385, 16448, 50000}) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i)
      text += static_cast<char>(random_() % (i % 1000 < 500 ? 128 : 40));
    expect_same(text);
    expect_same(text + "\u0301" + text);
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
