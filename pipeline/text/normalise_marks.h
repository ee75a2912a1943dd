// A letter and the marks behind it, folded by the tables alone.
#pragma once

#include <cstdint>

#include "pipeline/text/normalise_tokens.h"
#include "pipeline/text/unicode_tables.h"

namespace neardup {

// A longer run of non-starters is folded in pieces (docs/formats/text.md, "Long runs of marks").
inline constexpr unsigned kMostMarks = 30;

// One piece of a segment: its code points are added, and then put when the tables know them all.
class MarkedLetter {
 public:
  // Adds the next code point. Requires: with it there are at most kMostMarks non-starters in a row.
  void add(char32_t c, const CodePointRule& rule) {
    if (!known_ || rule.folding == Folding::kNone) return;
    const char32_t folded = c + static_cast<char32_t>(rule.shift);
    if (rule.folding == Folding::kMany) {
      known_ = false;
    } else if (rule.lead != 0) {
      known_ = rule.quiet || folded < 0x10000;
      insert(folded, rule.mark_class);
    } else {
      known_ = !has_letter_ && size_ == 0;
      if (known_) add_letter(folded, rule);
    }
  }

  // Whether the piece consists of at most one letter, ignored code points, and marks whose
  // compositions are in the table.
  bool known() const { return known_; }

  // Composes what composes (Unicode 15.0, §3.11, D117). Requires: known(). Nothing is added
  // afterwards.
  void put(TokenWriter& writer);

 private:
  void add_letter(char32_t letter, const CodePointRule& rule);
  char32_t take_apart(char32_t letter);

  // Inserts in canonical order: by combining class, and in order of arrival within a class.
  void insert(char32_t mark, std::uint32_t mark_class) {
    unsigned at = size_++;
    for (; at != 0 && marks_[at - 1] >> kClassShift > mark_class; --at) marks_[at] = marks_[at - 1];
    marks_[at] = mark_class << kClassShift | mark;
  }

  static constexpr int kClassShift = 24;
  static constexpr std::uint32_t kCodePointMask = (std::uint32_t{1} << kClassShift) - 1;

  bool known_ = true;
  bool has_letter_ = false;
  char32_t letter_ = 0;
  unsigned size_ = 0;
  std::uint32_t marks_[kMostMarks];  // combining class above the code point
};

}  // namespace neardup
