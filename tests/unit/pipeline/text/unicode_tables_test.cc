#include "pipeline/text/unicode_tables.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/pipeline/text/reference_normaliser.h"

namespace neardup::TEST_FILE {
namespace {

constexpr UChar32 kCodePoints = 0x110000;

bool scalar(UChar32 c) { return !U_IS_SURROGATE(c); }

bool icu_is_unicode_15_0() {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  return version[0] == 15 && version[1] == 0;
}

TokenClass token_class(const test::ReferenceNormaliser& reference, UChar32 c) {
  if (!reference.is_word(c)) return TokenClass::kSeparator;
  if (reference.in_single_range(c)) return TokenClass::kSingle;
  if (reference.is_spaceless_letter(c)) return TokenClass::kLetter;
  return reference.is_mark(c) ? TokenClass::kMark : TokenClass::kWord;
}

TEST(UnicodeTables, FoldEveryCodePointAsIcuDoes) {
  const test::ReferenceNormaliser reference;
  int kept_for_icu = 0;
  for (UChar32 c = 0; c < kCodePoints; ++c) {
    if (!scalar(c)) continue;
    const CodePointRule& rule = rule_of(static_cast<char32_t>(c));
    const auto folded = test::code_points(reference.fold_whole(test::utf8({c})));
    if (rule.folding == Folding::kNone) {
      ASSERT_TRUE(folded.empty()) << std::hex << c;
    } else if (rule.folding == Folding::kOne) {
      ASSERT_EQ(folded, std::vector<UChar32>{c + rule.shift}) << std::hex << c;
      ASSERT_EQ(rule.token, token_class(reference, c + rule.shift)) << std::hex << c;
      ASSERT_EQ(rule.plain, rule.token != TokenClass::kLetter) << std::hex << c;
      ASSERT_EQ(rule.mark_class, reference.assigned(c) ? u_getCombiningClass(c + rule.shift) : 0)
          << std::hex << c;
    } else {
      ++kept_for_icu;
      ASSERT_FALSE(folded.empty()) << std::hex << c;
      ASSERT_NE(folded, std::vector<UChar32>{c}) << std::hex << c;
    }
  }
  EXPECT_LT(kept_for_icu, 6000) << "too many code points take the slow way";
}

TEST(UnicodeTables, KnowTheBoundariesOfEveryCodePoint) {
  const test::ReferenceNormaliser reference;
  for (UChar32 c = 0; c < kCodePoints; ++c) {
    if (!scalar(c)) continue;
    const CodePointRule& rule = rule_of(static_cast<char32_t>(c));
    ASSERT_EQ(rule.before, reference.nfkc_cf().hasBoundaryBefore(c)) << std::hex << c;
    // A newer ICU may compose more with what is assigned since, which filtering keeps apart.
    if (icu_is_unicode_15_0()) {
      ASSERT_EQ(rule.after, reference.nfkc_cf().hasBoundaryAfter(c) && rule.trail == 0)
          << std::hex << c;
    }
  }
}

// Unassigned in Unicode 15.0: a newer ICU may know it.
bool is_newer(UChar32 c) {
  UVersionInfo age{};
  u_charAge(c, age);
  return age[0] > 15 || (age[0] == 15 && age[1] > 0);
}

bool is_mark(UChar32 c) { return !is_newer(c) && u_getCombiningClass(c) != 0; }

TEST(UnicodeTables, CountTheMarksThatEachCodePointBeginsAndEndsWith) {
  const test::ReferenceNormaliser reference;
  for (UChar32 c = 0; c < kCodePoints; ++c) {
    if (!scalar(c)) continue;
    const auto parts = is_newer(c) ? std::vector<UChar32>{c} : reference.decomposition(c);
    std::size_t lead = 0;
    std::size_t trail = 0;
    while (lead < parts.size() && is_mark(parts[lead])) ++lead;
    while (trail < parts.size() && is_mark(parts[parts.size() - 1 - trail])) ++trail;
    const CodePointRule& rule = rule_of(static_cast<char32_t>(c));
    ASSERT_EQ(rule.lead, lead) << std::hex << c;
    ASSERT_EQ(rule.trail, trail) << std::hex << c;
    ASSERT_EQ(rule.only_marks, lead == parts.size()) << std::hex << c;
  }
}

TEST(UnicodeTables, CallNoMarkQuietThatComposes) {
  const test::ReferenceNormaliser reference;
  for (UChar32 c = 0; c < kCodePoints; ++c) {
    if (!scalar(c) || !rule_of(static_cast<char32_t>(c)).quiet) continue;
    ASSERT_EQ(reference.decomposition(c), std::vector<UChar32>{c}) << std::hex << c;
    ASSERT_NE(u_getCombiningClass(c), 0) << std::hex << c;
    ASSERT_EQ(u_getIntPropertyValue(c, UCHAR_NFC_QUICK_CHECK), UNORM_YES) << std::hex << c;
  }
}

bool stays(UChar32 c) {
  const CodePointRule& rule = rule_of(static_cast<char32_t>(c));
  return scalar(c) && rule.folding == Folding::kOne && rule.shift == 0;
}

TEST(UnicodeTables, ComposeEveryLetterAndMarkAsIcuDoesAndTakeThemApart) {
  const test::ReferenceNormaliser reference;
  std::size_t known = 0;
  for (UChar32 mark = 0; mark < 0x10000; ++mark) {
    const CodePointRule& rule = rule_of(static_cast<char32_t>(mark));
    if (!stays(mark) || rule.lead == 0 || rule.quiet) continue;
    for (UChar32 base = 0; base < kCodePoints; ++base) {
      if (!stays(base)) continue;
      const auto both =
          static_cast<UChar32>(composed(static_cast<char32_t>(base), static_cast<char32_t>(mark)));
      ASSERT_EQ(both, std::max(0, reference.nfkc_cf().composePair(base, mark)))
          << std::hex << base << " " << mark;
      if (both == 0) continue;
      ++known;
      const Composition parts = parts_of(static_cast<char32_t>(both));
      ASSERT_EQ(static_cast<UChar32>(parts.base), base) << std::hex << both;
      ASSERT_EQ(static_cast<UChar32>(parts.mark), mark) << std::hex << both;
    }
  }
  EXPECT_GT(known, 400u);
  EXPECT_EQ(composed(U'e', 0x301), U'é');
}

TEST(UnicodeTables, TakeNothingApartThatTheyDoNotCompose) {
  for (char32_t c = 0; c < static_cast<char32_t>(kCodePoints); ++c) {
    const Composition parts = parts_of(c);
    if (parts.mark == 0) continue;
    ASSERT_EQ(composed(parts.base, parts.mark), c) << std::hex << static_cast<unsigned>(c);
  }
}

TEST(UnicodeTables, LetCodePointsThatUnicode15DoesNotAssignStandForThemselves) {
  for (char32_t c : {0x0378U, 0x2FE0U, 0x1C89U, 0xE0FFFU, 0xE0080U, 0x2065U, 0x323B0U}) {
    const CodePointRule& rule = rule_of(c);
    EXPECT_EQ(rule.folding, Folding::kOne) << std::hex << static_cast<unsigned>(c);
    EXPECT_EQ(rule.shift, 0);
    EXPECT_EQ(rule.token, TokenClass::kSeparator);
    EXPECT_TRUE(rule.before && rule.after);
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
