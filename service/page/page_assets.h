// The files of the page, built into the program (CMakeLists.txt makes their gzip).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace neardup {

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

}  // namespace neardup
