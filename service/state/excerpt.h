// Texts of documents for people to read: on a terminal, or cut to a bounded length.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/text/raw_ranges.h"

namespace neardup {

// The text on one line, without effect on a terminal: tabs and line feeds are spaces, other C0
// controls and DEL their pictures (U+2400 …, as on the page), C1 controls U+FFFD.
std::string visible_text(std::string_view text);

// `text`, or its beginning of at most `most` bytes and "…". Requires: valid UTF-8.
std::string shortened(std::string_view text, std::size_t most);

inline constexpr std::size_t kContextBytes = 300;  // of each end of a stretch that is cut

// `text`, or its first and last `most` bytes with "…" between them. Requires: valid UTF-8.
std::string without_middle(std::string_view text, std::size_t most = kContextBytes);

struct Excerpt {
  std::string text;
  std::vector<ByteRange> marks;  // of this text; in its order, apart from each other
};

// A text of at most `most` bytes as it is, with its marks. Of a longer one each long stretch,
// marked or not, is cut in its middle to "…", so that what is around the ends of marks stays; then
// at most `most` bytes and a last "…". Requires: valid UTF-8; `marks` begin and end at code points.
Excerpt excerpt_of(std::string_view text, std::vector<ByteRange> marks, std::size_t most);

}  // namespace neardup
