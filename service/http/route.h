// The requests that a port answers, as one table: the router follows it, and the OpenAPI document
// is written from it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "service/http/message/message.h"

namespace neardup {

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

// The thread that an answer is made in.
enum class HttpThread : std::uint8_t {
  kPort,     // the only one that reads and writes: nothing may be waited for there
  kScrape,   // one thread, for answers that take some milliseconds
  kControl,  // a few threads, for requests that wait for the state
};

// The access that a request needs (guard.h).
enum class HttpAccess : std::uint8_t { kOpen, kRead, kWrite };

// A value in the path or in the query of a request.
struct HttpParameter {
  std::string name;
  std::string about;  // a phrase, for the OpenAPI document
  enum class Kind : std::uint8_t { kText, kNumber } kind = Kind::kText;
  std::vector<std::string> words = {};  // of a text that has to be one of them; empty: any text
  // Of a number:
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::int64_t>::max();
};

// Whether the client of a request has left. Set by the port's thread, read by any.
using ClientLeft = std::shared_ptr<std::atomic<bool>>;

struct HttpRequest {
  std::string body = {};
  std::string type = {};        // of the body, without parameters; "" if it is not given
  std::string accept = {};      // as in RequestHead
  std::string last_event = {};  // as in RequestHead
  // Decoded, by the name of the parameter.
  std::map<std::string, std::string, std::less<>> values = {};
  ClientLeft left = {};  // null: not known

  // Nobody will read the answer: long work may end with any.
  bool gone() const { return left && *left; }

  bool has(std::string_view parameter) const { return values.contains(parameter); }
  // What it is given as, or `otherwise`.
  std::string text(std::string_view parameter, std::string_view otherwise = "") const;
  std::uint64_t number(std::string_view parameter, std::uint64_t otherwise) const;
};

struct HttpRoute {
  // An upload, or an answer if nothing of the body is wanted.
  using Opened = std::variant<std::shared_ptr<HttpUpload>, HttpAnswer>;

  std::vector<std::string> methods;  // GET answers HEAD, too
  std::string path;                  // a segment {name} is the parameter of that name
  HttpAccess access = HttpAccess::kOpen;
  HttpThread thread = HttpThread::kPort;
  // One of the two is set. With `open` the body may have any size.
  std::function<HttpAnswer(const HttpRequest& request)> answer = {};
  std::function<Opened(const RequestHead& head, const HttpRequest& request)> open = {};

  // Null, or what refuses a request by its head, after the guard has let it in.
  std::function<std::optional<HttpAnswer>(const RequestHead& head)> refuse = {};
  // The answer may take minutes: HttpRequest::gone says whether it is still of use.
  bool long_work = false;

  // For the OpenAPI document, but for the parameters, which the router checks.
  std::string name = {};                       // operationId
  std::string about = {};                      // a sentence
  std::vector<HttpParameter> parameters = {};  // all of the path, then those of the query
  std::vector<HttpParameter> fields = {};      // of the head; not checked
  std::vector<std::string> takes = {};         // media types of the body; empty: there is none
  std::string gives = "text/plain";            // media type of the answer
  std::string feeds = {};                      // that of the answer with a feed; "": there is none
  std::string accepted = {};                   // when the answer is a 202; "": never
  std::string unchanged = {};                  // when the answer is a 304; "": never
  std::vector<int> problems = {};              // statuses besides those of every request

  bool takes_body() const { return !takes.empty(); }
};

using HttpRoutes = std::vector<HttpRoute>;

// `version`: of the program. One object, one line.
std::string openapi_json(const HttpRoutes& routes, const std::string& version);

}  // namespace neardup
