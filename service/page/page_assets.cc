#include <vector>

#include "service/page/page.h"
#include "service/records/sha256.h"

// A file as bytes of the program. The assembler looks for it in the folders that CMakeLists.txt
// names.
#define NEARDUP_EMBED(symbol, file)                               \
  asm(".pushsection .rodata\n"                                    \
      ".globl " #symbol "\n.hidden " #symbol "\n" #symbol         \
      ":\n"                                                       \
      ".incbin \"" file                                           \
      "\"\n"                                                      \
      ".globl " #symbol "_end\n.hidden " #symbol "_end\n" #symbol \
      "_end:\n"                                                   \
      ".byte 0\n"                                                 \
      ".popsection\n");                                           \
  extern "C" const char(symbol)[];                                \
  extern "C" const char symbol##_end[];

// A file and its gzip.
#define NEARDUP_EMBED_PAIR(symbol, file) \
  NEARDUP_EMBED(symbol, file)            \
  NEARDUP_EMBED(symbol##_gzip, file ".gz")

#define NEARDUP_PAGE_FILE(symbol, file, type) \
  file_of(file, type, {symbol, symbol##_end}, {symbol##_gzip, symbol##_gzip_end})

NEARDUP_EMBED_PAIR(neardup_page_document, "index.html")
NEARDUP_EMBED_PAIR(neardup_page_style, "page.css")
NEARDUP_EMBED_PAIR(neardup_page_dom, "dom.js")
NEARDUP_EMBED_PAIR(neardup_page_format, "format.js")
NEARDUP_EMBED_PAIR(neardup_page_status, "status.js")
NEARDUP_EMBED_PAIR(neardup_page_links, "links.js")
NEARDUP_EMBED_PAIR(neardup_page_marks, "marks.js")
NEARDUP_EMBED_PAIR(neardup_page_chart, "chart.js")
NEARDUP_EMBED_PAIR(neardup_page_differing, "differing.js")
NEARDUP_EMBED_PAIR(neardup_page_comparison, "comparison.js")
NEARDUP_EMBED_PAIR(neardup_page_report, "report.js")
NEARDUP_EMBED_PAIR(neardup_page_service, "service.js")
NEARDUP_EMBED_PAIR(neardup_page_download, "download.js")
NEARDUP_EMBED_PAIR(neardup_page_filter, "filter.js")
NEARDUP_EMBED_PAIR(neardup_page_flags, "flags.js")
NEARDUP_EMBED_PAIR(neardup_page_find, "find.js")
NEARDUP_EMBED_PAIR(neardup_page_groups, "groups.js")
NEARDUP_EMBED_PAIR(neardup_page_state, "state.js")
NEARDUP_EMBED_PAIR(neardup_page_overview, "overview.js")
NEARDUP_EMBED_PAIR(neardup_page_why, "why.js")
NEARDUP_EMBED_PAIR(neardup_page_theme, "theme.js")
NEARDUP_EMBED_PAIR(neardup_page_app, "app.js")

namespace neardup {
namespace {

constexpr std::size_t kHashDigits = 16;
constexpr const char* kScript = "text/javascript; charset=utf-8";

PageFile file_of(std::string_view name, std::string_view type, std::string_view bytes,
                 std::string_view gzip) {
  return {name, type, bytes, gzip, sha256_hex(bytes).substr(0, kHashDigits)};
}

}  // namespace

const PageFile& page_document() {
  static const PageFile file =
      NEARDUP_PAGE_FILE(neardup_page_document, "index.html", "text/html; charset=utf-8");
  return file;
}

const PageFile& page_style() {
  static const PageFile file =
      NEARDUP_PAGE_FILE(neardup_page_style, "page.css", "text/css; charset=utf-8");
  return file;
}

std::span<const PageFile> page_scripts() {
  static const std::vector<PageFile> files{
      NEARDUP_PAGE_FILE(neardup_page_dom, "dom.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_format, "format.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_status, "status.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_links, "links.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_marks, "marks.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_chart, "chart.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_differing, "differing.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_comparison, "comparison.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_report, "report.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_service, "service.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_download, "download.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_filter, "filter.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_flags, "flags.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_find, "find.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_groups, "groups.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_state, "state.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_overview, "overview.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_why, "why.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_theme, "theme.js", kScript),
      NEARDUP_PAGE_FILE(neardup_page_app, "app.js", kScript),
  };
  return files;
}

}  // namespace neardup
