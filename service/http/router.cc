#include "service/http/router.h"

#include <utility>

namespace neardup {
namespace {

HttpRoute refuse(int status, std::string why) {
  return {.refusal = HttpAnswer{status, std::move(why) + "\n"}, .answer = {}};
}

}  // namespace

HttpRouter::HttpRouter(HttpHandlers handlers, HttpControl control)
    : handlers_(std::move(handlers)), control_(std::move(control)) {}

HttpRoute HttpRouter::route(const RequestHead& head) const {
  if (const auto found = control_.handlers.find(head.path); found != control_.handlers.end())
    return control_route(head, found->second);
  if (head.method != "GET" && head.method != "HEAD")
    return refuse(405, "only GET and HEAD are answered here");
  const auto found = handlers_.find(head.path);
  if (found == handlers_.end()) {
    std::string paths;
    for (const auto& [path, handler] : handlers_) paths += " " + path;
    return refuse(404, "not found; there is" + paths);
  }
  return {.refusal = {},
          .answer = [answer = found->second.answer](const std::string&) { return answer(); },
          .thread = found->second.thread};
}

HttpRoute HttpRouter::control_route(
    const RequestHead& head,
    const std::function<HttpAnswer(const std::string& body)>& answer) const {
  if (head.method != "POST") return refuse(405, "only POST is answered here");
  if (!control_.allows(head.authorization))
    return refuse(401, "a token is needed: Authorization: Bearer TOKEN");
  return {.refusal = {}, .answer = answer, .thread = HttpThread::kControl, .takes_body = true};
}

}  // namespace neardup
