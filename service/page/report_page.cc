#include "service/page/report_page.h"

#include <fmt/format.h>

#include "service/page/page_assets.h"
#include "service/records/sha256.h"

namespace neardup {
namespace {

// One module made of all: each imports only from those before it, so their imports and exports are
// left out. A file opened from a disk may not import others.
std::string joined_scripts() {
  std::string joined;
  for (const PageFile& file : page_scripts()) {
    std::string_view rest = file.bytes;
    while (!rest.empty()) {
      std::string_view line = rest.substr(0, rest.find('\n') + 1);
      rest.remove_prefix(line.size());
      if (line.starts_with("import ")) continue;
      if (line.starts_with("export ")) line.remove_prefix(std::string_view("export ").size());
      joined += line;
    }
  }
  return joined;
}

// "<" begins every tag and comment. Outside of strings JSON has none of these.
std::string inside_script(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (rest.front() == '<') {
      safe += "\\u003c";
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      safe += rest[2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      safe += rest.front();
    }
  }
  return safe;
}

}  // namespace

std::string report_page(std::string_view json) {
  const std::string script = joined_scripts();
  const std::string_view style = page_style().bytes;
  return fmt::format(
      R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>neardup</title>
<style>{}</style>
</head>
<body>
<script type="application/json" id="data">{}</script>
<script type="module">{}</script>
</body>
</html>
)",
      sha256_base64(script), sha256_base64(style), style, inside_script(json), script);
}

}  // namespace neardup
