// The page at the port, and as one document with data in it.
#pragma once

#include <string>
#include <string_view>

#include "service/http/route.h"

namespace neardup {

// Adds GET / and the files of the page; whoever reaches the port may read them, since they hold no
// data.
void add_page_routes(HttpRoutes& routes);

// A document that needs no service: it opens from a file. HTML with the style and the modules of
// the page inside, which show `json` (report.js says of which form). Nothing in `json` can end the
// data or run, whatever its texts are. Requires: `json` is valid JSON in UTF-8.
std::string report_page(std::string_view json);

}  // namespace neardup
