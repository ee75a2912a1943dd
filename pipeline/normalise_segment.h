// Folding where neighbouring code points interact: the part that ICU does.
#pragma once

#include <unicode/normalizer2.h>

#include <string>
#include <string_view>

#include "pipeline/normalise_tokens.h"

namespace neardup {

// A longer run of non-starters is folded in pieces (docs/formats/text.md, "Long runs of marks").
inline constexpr unsigned kMostMarks = 30;

class SegmentFolder {
 public:
  // Throws Failure(kInternal) when the ICU at hand is older than Unicode 15.0.
  SegmentFolder();

  // Folds the code point at `in` and those that follow without a normalisation boundary; returns
  // where the next boundary is. Requires: a boundary at `in`; in != end.
  const char* fold(const char* in, const char* end, TokenWriter& writer);

 private:
  void fold_piece(std::string_view piece, TokenWriter& writer);

  const icu::Normalizer2* nfkc_cf_;
  std::string folded_;  // reused
};

}  // namespace neardup
