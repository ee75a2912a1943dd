// What the HTTP port answers, by path. Another endpoint is another entry of a table.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/health.h"
#include "service/http/message.h"

namespace neardup {

// The thread that a handler runs in.
enum class HttpThread : std::uint8_t {
  kPort,     // the only one that reads and writes: a handler must not wait for anything there
  kScrape,   // one thread, for answers that take some milliseconds
  kControl,  // a few threads, for requests that wait for the state
};

struct HttpHandler {
  std::function<HttpAnswer()> answer;
  HttpThread thread = HttpThread::kPort;
};

// Path → what answers GET and HEAD.
using HttpHandlers = std::map<std::string, HttpHandler, std::less<>>;

// What may be asked for by those who know a token, with POST and `Authorization: Bearer TOKEN`.
// Path → what answers a body, in a thread of kControl.
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
