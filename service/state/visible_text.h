// Ids and texts of documents on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

// The text on one line, without effect on a terminal: tabs and line feeds are spaces, other C0
// controls and DEL their pictures (U+2400 …, as on the page), C1 controls U+FFFD.
std::string visible_text(std::string_view text);

}  // namespace neardup
