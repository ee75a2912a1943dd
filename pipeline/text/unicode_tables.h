// The properties of code points of Unicode 15.0 for normalisation and tokens. The tables are
// generated (scripts/generate-unicode-tables) and checked in, so that the result does not depend on
// the installed ICU. docs/formats/text.md defines the terms.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neardup {

enum class TokenClass : std::uint8_t {
  kSeparator,
  kWord,    // part of a run
  kSingle,  // ideographs and kana: a token by itself
  kMark,    // general category M: part of a run, and of the letter before it
  kLetter,  // a letter of a script that is written without spaces: part of a run that is cut
};

// Requires: not kLetter.
constexpr bool in_run(TokenClass token) { return (static_cast<unsigned>(token) & 1) != 0; }
static_assert(in_run(TokenClass::kWord) && in_run(TokenClass::kMark) &&
              !in_run(TokenClass::kSeparator) && !in_run(TokenClass::kSingle));

// How many code points NFKC_Casefold makes of this one.
enum class Folding : std::uint8_t { kNone, kOne, kMany };

// Code points that Unicode 15.0 does not assign stand for themselves: kSeparator, kOne, shift 0.
struct CodePointRule {
  std::int32_t shift;  // kOne: the result is the code point plus this
  Folding folding;
  TokenClass token;    // of the result; kOne only
  bool plain;          // kOne, and not kLetter
  bool before;         // a normalisation boundary always lies before it
  bool after;          // … and after it, and no mark ends it: counting starts again there
  bool quiet;          // a non-starter that folds to itself and never composes with what precedes
  bool only_marks;     // its decomposition has no starter (or is empty)
  std::uint8_t lead;   // non-starters that its decomposition begins with
  std::uint8_t trail;  // … and ends with
  std::uint8_t mark_class;  // combining class of the result; kOne only
};

namespace unicode_tables {
inline constexpr unsigned kBlockBits = 6;
extern const std::uint16_t kBlocks[0x110000 >> kBlockBits];  // which block of kRuleOf
extern const std::uint8_t kRuleOf[];
extern const CodePointRule kRules[];

// Hash tables with linear probing: a folded base and a folded mark (a non-starter that is not
// quiet), both of 16 bits, and what they compose to.
inline constexpr unsigned kCompositionBits = 11;
inline constexpr std::size_t kCompositionPlaces = std::size_t{1} << kCompositionBits;
inline constexpr std::uint16_t kNoComposition = 0xFFFF;
constexpr std::uint32_t composition_key(char32_t base, char32_t mark) { return mark << 16 | base; }
constexpr std::size_t composition_place(std::uint32_t value) {
  return value * 0x9E3779B1U >> (32 - kCompositionBits);
}
constexpr std::size_t next_composition_place(std::size_t place) {
  return (place + 1) % kCompositionPlaces;
}
extern const std::uint32_t kCompositionKeys[kCompositionPlaces];  // 0: a free place
extern const std::uint16_t kComposed[kCompositionPlaces];
// A hash table from a composed code point to its place in kComposed; kNoComposition: a free place.
extern const std::uint16_t kByComposed[kCompositionPlaces];
}  // namespace unicode_tables

// Requires: code_point < 0x110000.
inline const CodePointRule& rule_of(char32_t code_point) {
  using namespace unicode_tables;
  const char32_t in_block = code_point & ((1U << kBlockBits) - 1);
  return kRules[kRuleOf[(kBlocks[code_point >> kBlockBits] << kBlockBits) + in_block]];
}

// What the folded code point `base` and the folded mark behind it compose to; 0 when they don't.
// Requires: mark < 0x10000.
inline char32_t composed(char32_t base, char32_t mark) {
  using namespace unicode_tables;
  if (base > 0xFFFF) return 0;
  const std::uint32_t key = composition_key(base, mark);
  std::size_t at = composition_place(key);
  while (kCompositionKeys[at] != key && kCompositionKeys[at] != 0) at = next_composition_place(at);
  return kComposed[at];
}

struct Composition {
  char32_t base = 0;
  char32_t mark = 0;  // 0: not composed of a base and a mark
};

inline Composition parts_of(char32_t letter) {
  using namespace unicode_tables;
  for (std::size_t at = composition_place(letter); kByComposed[at] != kNoComposition;
       at = next_composition_place(at)) {
    const std::uint16_t place = kByComposed[at];
    if (kComposed[place] == letter)
      return {kCompositionKeys[place] & 0xFFFF, kCompositionKeys[place] >> 16};
  }
  return {};
}

}  // namespace neardup
