// Folding where neighbouring code points interact. ICU does it, except for a letter with marks.
#pragma once

#include <unicode/normalizer2.h>

#include <string>
#include <string_view>

#include "pipeline/text/normalise_tokens.h"

namespace neardup {

// Requires: valid UTF-8 at `at`.
inline bool boundary_before(const char* at) { return rule_of(next_code_point(at)).before; }

class SegmentFolder {
 public:
  // Throws Failure(kInternal) when the installed ICU is older than Unicode 15.0.
  SegmentFolder();

  // Folds the code point at `in` and the following ones up to a normalisation boundary; returns
  // where the next boundary is. Requires: a boundary at `in`; in != end.
  const char* fold(const char* in, const char* end, TokenWriter& writer);

 private:
  const char* fold_piece(const char* in, const char* end, TokenWriter& writer);
  void ask_icu(std::string_view piece, TokenWriter& writer);

  const icu::Normalizer2* nfkc_cf_;
  std::string folded_;  // reused
};

}  // namespace neardup
