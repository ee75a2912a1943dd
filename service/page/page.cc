#include "service/page/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "service/http/message/problem.h"
#include "service/records/sha256.h"

namespace neardup {
namespace {

constexpr int kNotModified = 304;

// Nothing but the page's own files runs, and it asks nobody but this service.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Accept-Encoding, as RFC 9110, section 12.5.3, has it.
bool accepts_gzip(std::string_view codings) {
  while (!codings.empty()) {
    const std::string_view coding = codings.substr(0, codings.find(','));
    codings.remove_prefix(std::min(coding.size() + 1, codings.size()));
    const std::size_t weight = std::min(coding.find(';'), coding.size());
    if (trimmed(coding.substr(0, weight)) != "gzip") continue;
    return coding.find_first_of("123456789", weight) != coding.npos || weight == coding.size();
  }
  return false;
}

HttpAnswer answer_with(const PageFile& file, const RequestHead& head) {
  const bool gzip = accepts_gzip(head.accept_coding);
  const std::string tag = '"' + file.hash + (gzip ? "-gzip\"" : "\"");
  HttpAnswer answer{200, "", std::string(file.type)};
  answer.fields = {{"ETag", tag},
                   {"Vary", "Accept-Encoding"},
                   {"Cache-Control", "no-cache"},
                   {"Content-Security-Policy", kPolicy},
                   {"X-Content-Type-Options", "nosniff"},
                   {"Referrer-Policy", "no-referrer"}};
  if (head.if_none_match.find(tag) != std::string::npos) {
    answer.status = kNotModified;
    return answer;
  }
  answer.body = gzip ? file.gzip : file.bytes;
  if (gzip) answer.fields.emplace_back("Content-Encoding", "gzip");
  return answer;
}

HttpAnswer script(const RequestHead& head, const HttpRequest& request) {
  const auto files = page_scripts();
  const auto found = std::ranges::find(files, request.text("script"), &PageFile::name);
  if (found == files.end()) return problem(404, "not_found", "the page has no such script");
  return answer_with(*found, head);
}

HttpRoute page_route(const char* path, const char* type, const char* name, const char* about) {
  return {.methods = {"GET"},
          .path = path,
          .name = name,
          .about = about,
          .gives = type,
          .unchanged = "The client has it: If-None-Match names its ETag."};
}

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

void add_page_routes(HttpRoutes& routes) {
  HttpRoute page = page_route("/", "text/html", "page", "The page: what the service does, to see.");
  page.open = [](const RequestHead& head, const HttpRequest&) {
    return answer_with(page_document(), head);
  };
  HttpRoute style = page_route("/page.css", "text/css", "page_style", "The style of the page.");
  style.open = [](const RequestHead& head, const HttpRequest&) {
    return answer_with(page_style(), head);
  };
  HttpRoute scripts =
      page_route("/page/{script}", "text/javascript", "page_script", "A script of the page.");
  scripts.open = script;
  scripts.parameters = {{.name = "script", .about = "The name of its file."}};
  scripts.problems = {404};
  for (HttpRoute* route : {&page, &style, &scripts}) routes.push_back(std::move(*route));
}

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
