// What the HTTP port answers, by path. Another endpoint is another entry of the table.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/health.h"

namespace neardup {

struct HttpAnswer {
  int status = 200;
  std::string body;
  std::string type = "text/plain; charset=utf-8";
};

// Path → what answers GET and HEAD. They run in the server's thread and must be quick.
using HttpHandlers = std::map<std::string, std::function<HttpAnswer()>, std::less<>>;

// What may be asked for by those who know a token, with POST and `Authorization: Bearer TOKEN`.
// Path → what answers a body. They run in the server's thread and may take their time.
struct HttpControl {
  std::vector<std::string> tokens;
  std::map<std::string, std::function<HttpAnswer(const std::string& body)>, std::less<>> handlers;

  // Does the value of the header hold one of the tokens? Takes as long wherever it differs.
  bool allows(std::string_view authorization) const;
};

// /healthz and /readyz (200, or 503 with one reason a line) and /version (`version` is JSON).
// Requires: `health` outlives the table.
HttpHandlers operation_handlers(const Health& health, const std::string& version);

}  // namespace neardup
