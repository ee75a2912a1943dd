// The page as one document with data in it, which needs no service: it opens from a file.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

// HTML with the style and the modules of the page inside, which show `json` (report.js says of
// which form). Nothing in `json` can end the data or run, whatever its texts are. Requires: `json`
// is valid JSON in UTF-8.
std::string report_page(std::string_view json);

}  // namespace neardup
