// The head of a request → its handler, or a refusal.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "service/http/handlers.h"

namespace neardup {

struct HttpRoute {
  std::optional<HttpAnswer> refusal;  // if set, the other members are not used
  std::function<HttpAnswer(const std::string& body)> answer;
  HttpThread thread = HttpThread::kPort;
  bool takes_body = false;  // else `answer` is given "", and no body is read
};

class HttpRouter {
 public:
  HttpRouter(HttpHandlers handlers, HttpControl control);

  // Everything that can be refused without the body is refused here: an unknown path (404,
  // which lists the known ones), a wrong method (405), a missing or wrong token (401).
  HttpRoute route(const RequestHead& head) const;

 private:
  HttpRoute control_route(const RequestHead& head,
                          const std::function<HttpAnswer(const std::string& body)>& answer) const;

  const HttpHandlers handlers_;
  const HttpControl control_;
};

}  // namespace neardup
