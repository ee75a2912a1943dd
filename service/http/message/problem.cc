#include "service/http/message/problem.h"

#include "pipeline/base/json_object.h"

namespace neardup {

HttpAnswer problem(int status, std::string_view reason, std::string_view detail,
                   std::optional<int> exit) {
  constexpr int kUnauthorized = 401;
  constexpr int kTooMany = 429;
  constexpr int kUnavailable = 503;
  HttpAnswer answer;
  answer.status = status;
  answer.type = "application/problem+json";
  JsonObject body;
  body.text("type", "api.md#" + std::string(reason))
      .text("title", status_phrase(status))
      .number("status", status)
      .text("detail", detail)
      .text("reason", reason);
  if (exit) body.number("exit", *exit);
  answer.body = body.str() + "\n";
  if (status == kUnauthorized) answer.fields.emplace_back("WWW-Authenticate", "Bearer");
  if (status == kTooMany || status == kUnavailable) answer.fields.emplace_back("Retry-After", "1");
  return answer;
}

}  // namespace neardup
