#include "pipeline/text/normalise_marks.h"

namespace neardup {

void MarkedLetter::add_letter(char32_t letter, const CodePointRule& rule) {
  has_letter_ = true;
  letter_ = rule.trail == 0 ? letter : take_apart(letter);
  known_ = size_ == rule.trail;
}

// Inserts the marks of a composed letter, as far as the table knows it, and returns what is left.
char32_t MarkedLetter::take_apart(char32_t letter) {
  const Composition parts = parts_of(letter);
  if (parts.mark == 0) return letter;
  const CodePointRule& base = rule_of(parts.base);
  const char32_t left = base.trail == 0 ? parts.base : take_apart(parts.base);
  insert(parts.mark, rule_of(parts.mark).mark_class);
  return left;
}

void MarkedLetter::put(TokenWriter& writer) {
  unsigned kept = 0;
  for (unsigned i = 0; has_letter_ && i < size_; ++i) {
    const char32_t mark = marks_[i] & kCodePointMask;
    // A mark that was not composed blocks the next ones of its class.
    const bool hidden = kept != 0 && marks_[kept - 1] >> kClassShift == marks_[i] >> kClassShift;
    const char32_t both = hidden || rule_of(mark).quiet ? 0 : composed(letter_, mark);
    if (both != 0) {
      letter_ = both;
    } else {
      marks_[kept++] = marks_[i];
    }
  }
  if (has_letter_) {
    writer.put(letter_, rule_of(letter_).token);
    size_ = kept;
  }
  for (unsigned i = 0; i < size_; ++i) {
    const char32_t mark = marks_[i] & kCodePointMask;
    writer.put(mark, rule_of(mark).token);
  }
}

}  // namespace neardup
