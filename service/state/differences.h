// What differs between two texts, word by word, as a code review shows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/text/raw_ranges.h"

namespace neardup {

// Elements [begin, end).
struct ElementRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
  bool operator==(const ElementRange&) const = default;
};

// What A has in place of what B has. One of both may be empty.
struct Change {
  ElementRange a;
  ElementRange b;
  bool operator==(const Change&) const = default;
};

// Between two changes, before the first and after the last one, A and B have equal elements.
struct EditScript {
  std::vector<Change> changes;  // in the order of both sequences; apart from each other
  // As few differing elements as possible. false: more of them, because the search had reached its
  // bound. Then elements that occur once in each sequence are aligned first, and what is between
  // two of these and still too far apart is one change, as in patience diff.
  bool shortest = true;
};

// Work, in elements looked at, after which a search ends; some 10 ms.
inline constexpr std::size_t kEditSteps = std::size_t{3} << 20;

// The changes that make B of A (edit_script.cc): Myers, "An O(ND) Difference Algorithm and Its
// Variations" (1986), section 4b, in linear space. Requires: each element is less than `kinds`;
// each sequence is shorter than 2^32. Memory: at most 32 bytes an element and 8 bytes a kind.
EditScript edit_script(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                       std::size_t kinds, std::size_t steps = kEditSteps);

// A side of a comparison. A word is a piece of `ranges`; words are compared as they are normalised.
struct WordsOfText {
  std::string_view raw;
  std::string_view normalised;
  const RawRanges& ranges;
};

// Consecutive words of both texts, as they stand in these. Blanks and signs between words are with
// the equal words.
struct DifferencePart {
  enum class Kind { kEqual, kFolded, kChanged };
  Kind kind;
  std::string_view a;
  std::string_view b;
  std::size_t words;  // of A, where they are equal; else of the longer side
};

struct Differences {
  std::vector<DifferencePart> parts;  // in the order of both texts; none: no word differs
  std::size_t changes = 0;
  bool shortest = true;  // as that of an EditScript
};

// From this similarity on it is shown first what differs, below it what is shared.
inline constexpr double kDiffersFrom = 0.8;

// Views into the texts. Of many equal words in a row all but those next to a change are folded.
Differences differences_of(const WordsOfText& a, const WordsOfText& b);

// The first changes with the words next to them, as lines for people: [-only in A-] {+only in B+},
// red and green where `colour`.
std::string differences_text(const Differences& differences, bool colour);

}  // namespace neardup
