// The handlers of the HTTP port, by path.
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

// Path → handler of GET and HEAD.
using HttpHandlers = std::map<std::string, HttpHandler, std::less<>>;

// Requests by POST that need a token (`Authorization: Bearer TOKEN`). Path → handler of the body,
// in a thread of kControl.
struct HttpControl {
  std::vector<std::string> tokens;
  std::map<std::string, std::function<HttpAnswer(const std::string& body)>, std::less<>> handlers;

  // Whether the value of the header has one of the tokens, compared in constant time.
  bool allows(std::string_view authorization) const;
};

// /healthz and /readyz (200, or 503 with one reason a line) and /version (`version` is JSON).
// Requires: `health` outlives the table.
HttpHandlers operation_handlers(const Health& health, const std::string& version);

}  // namespace neardup
