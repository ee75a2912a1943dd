// Which bytes of a raw text the bytes of its normalised text come from.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "pipeline/text/normalise.h"

namespace neardup {

// Bytes [begin, end) of a text.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const ByteRange&) const = default;
};

// The raw text is cut into pieces whose normalisation does not depend on their neighbours: at ASCII
// white space, around the characters of Chinese, Japanese and Korean, and before letters of scripts
// without spaces. A range is as exact as the pieces, so at most a word too wide.
class RawRanges {
 public:
  struct Piece {
    ByteRange raw;
    ByteRange normalised;
  };

  // Requires: `normalised` is what `normaliser` makes of `raw`, which is valid UTF-8.
  RawRanges(std::string_view raw, std::string_view normalised, Normaliser& normaliser);

  // The raw bytes of a range of the normalised text. Requires: it begins and ends within tokens.
  ByteRange raw(ByteRange normalised) const;

  // In the order of the text; those without tokens are left out.
  std::span<const Piece> pieces() const { return pieces_; }

 private:
  std::vector<Piece> pieces_;
};

}  // namespace neardup
