// The page at the port, and as one document with data in it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "service/http/route.h"

namespace neardup {

// A file of the page, built into the program (page_assets.cc; CMakeLists.txt makes its gzip).
struct PageFile {
  std::string_view name;  // in this folder
  std::string_view type;  // media type
  std::string_view bytes;
  std::string_view gzip;
  std::string hash;  // of `bytes`, 16 hex digits
};

// They live as long as the program.
const PageFile& page_document();  // index.html
const PageFile& page_style();
// The modules in an order in which each imports only from those before it.
std::span<const PageFile> page_scripts();

// Adds GET / and the files of the page; whoever reaches the port may read them, since they hold no
// data.
void add_page_routes(HttpRoutes& routes);

// A document that needs no service: it opens from a file. HTML with the style and the modules of
// the page inside, which show `json` (report.js says of which form). Nothing in `json` can end the
// data or run, regardless of its texts. Requires: `json` is valid JSON in UTF-8.
std::string report_page(std::string_view json);

}  // namespace neardup
