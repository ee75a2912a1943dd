// The handlers of the HTTP port, by path.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "service/http/health.h"
#include "service/http/message.h"
#include "service/http/tokens.h"

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
  HttpTokens tokens;
  std::map<std::string, std::function<HttpAnswer(const std::string& body)>, std::less<>> handlers;
};

// Takes the body of one request as it comes, and answers. The port's thread makes the calls, which
// must not wait.
class HttpUpload {
 public:
  enum class Taken : std::uint8_t {
    kMore,     // the next bytes may come
    kWait,     // not before `resume` is called
    kRefused,  // none; `refusal` is the answer
  };
  using Resume = std::function<void()>;
  using Done = std::function<void(HttpAnswer)>;

  virtual ~HttpUpload() = default;

  // The next bytes of the body. After kWait any thread calls `resume`, once.
  virtual Taken take(std::string bytes, const Resume& resume) = 0;
  virtual HttpAnswer refusal() const = 0;
  // The body is complete. Any thread calls `done`, once.
  virtual void end(Done done) = 0;
  // The body will never be complete, and nobody waits for an answer.
  virtual void abandon() = 0;
};

// Requests by POST or PUT whose bodies may have any size. They need a token, too.
struct HttpUploads {
  // An upload, or an answer if nothing of the body is wanted.
  using Opened = std::variant<std::shared_ptr<HttpUpload>, HttpAnswer>;

  HttpTokens tokens;
  std::map<std::string, std::function<Opened(const RequestHead& head)>, std::less<>> handlers;
};

// /healthz and /readyz (200, or 503 with one reason a line) and /version (`version` is JSON).
// Requires: `health` outlives the table.
HttpHandlers operation_handlers(const Health& health, const std::string& version);

}  // namespace neardup
