// What the HTTP port answers, by path. Another endpoint is another entry of the table.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "service/http/health.h"

namespace neardup {

struct HttpAnswer {
  int status = 200;
  std::string body;
  std::string type = "text/plain; charset=utf-8";
};

// Path → what answers GET and HEAD. They run in the server's thread and must be quick.
using HttpHandlers = std::map<std::string, std::function<HttpAnswer()>, std::less<>>;

// /healthz and /readyz (200, or 503 with one reason a line) and /version (`version` is JSON).
// Requires: `health` outlives the table.
HttpHandlers operation_handlers(const Health& health, const std::string& version);

}  // namespace neardup
