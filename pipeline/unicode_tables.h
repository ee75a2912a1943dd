// What normalisation and tokens need to know of a code point of Unicode 15.0. The tables are
// generated (scripts/generate-unicode-tables) and checked in, so that another ICU gives the same
// text. docs/formats/text.md defines the words used here.
#pragma once

#include <cstdint>

namespace neardup {

enum class TokenClass : std::uint8_t {
  kSeparator,
  kWord,    // part of a run
  kSingle,  // ideographs and kana: a token by itself
};

// How many code points NFKC_Casefold makes of this one.
enum class Folding : std::uint8_t { kNone, kOne, kMany };

// Code points that Unicode 15.0 does not assign stand for themselves: kSeparator, kOne, shift 0.
struct CodePointRule {
  std::int32_t shift;  // kOne: the result is the code point plus this
  Folding folding;
  TokenClass token;    // of the result; kOne only
  bool before;         // a normalisation boundary always lies before it
  bool after;          // … and after it, and no mark ends it: counting starts anew there
  bool quiet;          // a non-starter that folds to itself and never composes with what precedes
  bool only_marks;     // its decomposition has no starter (or is empty)
  std::uint8_t lead;   // non-starters that its decomposition begins with
  std::uint8_t trail;  // … and ends with
};

namespace unicode_tables {
inline constexpr unsigned kBlockBits = 6;
extern const std::uint16_t kBlocks[0x110000 >> kBlockBits];  // which block of kRuleOf
extern const std::uint8_t kRuleOf[];
extern const CodePointRule kRules[];
}  // namespace unicode_tables

// Requires: code_point < 0x110000.
inline const CodePointRule& rule_of(char32_t code_point) {
  using namespace unicode_tables;
  const char32_t in_block = code_point & ((1U << kBlockBits) - 1);
  return kRules[kRuleOf[(kBlocks[code_point >> kBlockBits] << kBlockBits) + in_block]];
}

}  // namespace neardup
