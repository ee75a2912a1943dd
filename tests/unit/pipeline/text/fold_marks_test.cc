#include "pipeline/text/fold_marks.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/text/normalise.h"
#include "tests/unit/pipeline/text/reference_normaliser.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::size_t kNoLimit = std::size_t{1} << 30;

std::string normalised(std::string_view raw, TextFold fold) {
  Normaliser normaliser(SimdLevel::kAuto, fold);
  std::string out = "before";
  const NormalisedText text = normaliser.normalise(raw, kNoLimit, out, 3);
  return out.substr(3, text.bytes);
}

std::string folded(std::string_view raw) { return normalised(raw, TextFold::kMarks); }

TEST(FoldMarks, RemovesVowelSignsAndTatweelOfArabic) {
  EXPECT_EQ(folded("\u0645\u064F\u062D\u064E\u0645\u0651\u064E\u062F"), "\u0645\u062D\u0645\u062F");
  EXPECT_EQ(folded("\u0643\u0640\u0640\u062A\u0627\u0628"), "\u0643\u062A\u0627\u0628");
  EXPECT_EQ(folded("\u0647\u0670\u0630\u0627"), "\u0647\u0630\u0627");
}

TEST(FoldMarks, RemovesPointsAndCantillationOfHebrew) {
  EXPECT_EQ(folded("\u05D1\u05B0\u05BC\u05E8\u05B5\u05D0\u05E9\u05C1\u05B4\u0596\u05D9\u05EA"),
            "\u05D1\u05E8\u05D0\u05E9\u05D9\u05EA");
}

TEST(FoldMarks, KeepsLettersThatOnlyLookMarked) {
  // The hamza and the madda make other letters; ASCII, Latin and Devanagari marks stay, too.
  for (const std::string_view text : {"\u0622\u0623\u0624\u0626", "caf\u00E9", "\u0928\u093F"})
    EXPECT_EQ(folded(text), text);
  EXPECT_EQ(folded("\u0627\u0653"), "\u0622");
  EXPECT_EQ(folded("\u05D0\u05BE\u05D1"), "\u05D0 \u05D1") << "the maqaf is a hyphen";
}

TEST(FoldMarks, RemovesWhatPresentationFormsBring) {
  EXPECT_EQ(folded("\uFB1D \u0628\uFCF2 \uFE71"), "\u05D9 \u0628");
  EXPECT_EQ(folded("\uFE70x"), "x");
  EXPECT_EQ(folded("\u0627\uFE71\u0654"), "\u0623") << "composes once nothing is between";
}

TEST(FoldMarks, IsOffByDefault) {
  const std::string text = "\u0645\u064F\u062D";
  EXPECT_EQ(normalised(text, TextFold::kNone), text);
  std::string out;
  EXPECT_EQ(Normaliser().normalise(text, kNoLimit, out).bytes, text.size());
}

TEST(FoldMarks, EqualsTheReferenceForMixesOfBothScripts) {
  const test::ReferenceNormaliser reference;
  std::mt19937 random(36);
  const UChar32 pools[][2] = {{0x590, 0x5F4},   {0x600, 0x6FF},   {0x64B, 0x655}, {0xFB1D, 0xFB4F},
                              {0xFC5E, 0xFC63}, {0xFE70, 0xFEFC}, {0x20, 0x7E},   {0xE01, 0xE4E}};
  for (int i = 0; i < 20'000; ++i) {
    std::vector<UChar32> text;
    for (auto n = random() % 12; n > 0; --n) {
      const auto& [first, last] = pools[random() % std::size(pools)];
      text.push_back(first + static_cast<UChar32>(random() % static_cast<unsigned>(last - first)));
    }
    const std::string raw = test::utf8(text);
    const std::string found = folded(raw);
    ASSERT_EQ(found, reference.normalise_without_marks(raw).bytes) << raw;
    ASSERT_EQ(folded(found), found) << raw;
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
