#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "pipeline/model/notice.h"
#include "service/api/failures.h"
#include "service/http/message/ascii_case.h"
#include "service/http/message/problem.h"
#include "service/log/notice_log.h"

namespace neardup {
namespace {

// Without white space at its ends.
std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t") + 1;
  return text.substr(begin, std::max(begin, end) - begin);
}

// Takes a parameter's value off the front of `rest`, up to the next semicolon outside quotes.
std::string take_value(std::string_view& rest) {
  std::string value;
  bool quoted = false;
  std::size_t at = 0;
  for (; at < rest.size() && (quoted || rest[at] != ';'); ++at) {
    if (rest[at] == '"') {
      quoted = !quoted;
    } else {
      if (quoted && rest[at] == '\\' && at + 1 < rest.size()) ++at;
      value += rest[at];
    }
  }
  rest.remove_prefix(at);
  return std::string(trimmed(value));
}

// The second name is not registered, but often written.
bool is_utf8(std::string_view charset) {
  return charset.empty() || equal_ignoring_case(charset, "utf-8") ||
         equal_ignoring_case(charset, "utf8");
}

std::optional<HttpAnswer> refusal(std::string_view content_type) {
  const std::string charset = charset_of(content_type);
  if (is_utf8(charset)) return {};
  return problem(415, "unknown_charset",
                 fmt::format("the charset of the body is {}: send it as UTF-8, and name that or "
                             "none in Content-Type",
                             charset));
}

}  // namespace

std::string charset_of(std::string_view content_type) {
  std::string_view rest = content_type;
  take_value(rest);  // the media type
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the semicolon
    const std::size_t equals = std::min(rest.find_first_of(";="), rest.size());
    const std::string_view name = trimmed(rest.substr(0, equals));
    rest.remove_prefix(equals);
    if (!rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    std::string value = take_value(rest);
    if (equal_ignoring_case(name, "charset")) return value;
  }
  return "";
}

void refuse_other_charsets(HttpRoutes& routes, MetricRegistry& registry, Log& log) {
  const auto notices = std::make_shared<NoticeLog>(log);
  for (HttpRoute& route : routes) {
    if (!route.takes_body()) continue;
    route.refuse = [&registry, notices](const RequestHead& head) {
      auto why = refusal(head.type);
      if (!why) return why;
      registry.add(Metric::kNotices, 1, NoticeKind::kCharset);
      notices->show(one_notice(NoticeKind::kCharset));
      return why;
    };
  }
}

}  // namespace neardup
