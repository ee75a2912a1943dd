#include "service/http/router.h"

#include <utility>

#include "service/http/problem.h"

namespace neardup {
namespace {

HttpRoute refuse(HttpAnswer answer) {
  return {.refusal = std::move(answer), .upload = {}, .answer = {}};
}

HttpRoute refuse_method(const std::string& allowed) {
  HttpAnswer answer = problem(405, "method_not_allowed", "only " + allowed + " is answered here");
  answer.fields.emplace_back("Allow", allowed);
  return refuse(std::move(answer));
}

std::optional<HttpAnswer> check_token(const RequestHead& head, HttpTokens& tokens) {
  if (tokens.allow(head.authorization)) return {};
  return problem(401, "no_token", "a token is needed: Authorization: Bearer TOKEN");
}

}  // namespace

HttpRouter::HttpRouter(HttpHandlers handlers, HttpControl control, HttpUploads uploads)
    : handlers_(std::move(handlers)), control_(std::move(control)), uploads_(std::move(uploads)) {}

HttpRoute HttpRouter::route(const RequestHead& head) {
  if (const auto found = control_.handlers.find(head.path); found != control_.handlers.end())
    return control_route(head, found->second);
  if (const auto found = uploads_.handlers.find(head.path); found != uploads_.handlers.end())
    return upload_route(head, found->second);
  if (head.method != "GET" && head.method != "HEAD") return refuse_method("GET, HEAD");
  const auto found = handlers_.find(head.path);
  if (found == handlers_.end()) {
    std::string paths;
    for (const auto& [path, handler] : handlers_) paths += " " + path;
    return refuse(problem(404, "not_found", "there is nothing here, but" + paths));
  }
  return {.refusal = {},
          .upload = {},
          .answer = [answer = found->second.answer](const std::string&) { return answer(); },
          .thread = found->second.thread};
}

HttpRoute HttpRouter::control_route(
    const RequestHead& head, const std::function<HttpAnswer(const std::string& body)>& answer) {
  if (head.method != "POST") return refuse_method("POST");
  if (auto why = check_token(head, control_.tokens))
    return {.refusal = std::move(why), .upload = {}, .answer = {}};
  return {.refusal = {},
          .upload = {},
          .answer = answer,
          .thread = HttpThread::kControl,
          .takes_body = true};
}

HttpRoute HttpRouter::upload_route(
    const RequestHead& head,
    const std::function<HttpUploads::Opened(const RequestHead& head)>& open) {
  // `curl -T` sends PUT.
  if (head.method != "POST" && head.method != "PUT") return refuse_method("POST, PUT");
  HttpRoute route;
  route.refusal = check_token(head, uploads_.tokens);
  if (route.refusal) return route;
  HttpUploads::Opened opened = open(head);
  if (HttpAnswer* answer = std::get_if<HttpAnswer>(&opened)) {
    route.refusal = std::move(*answer);
  } else {
    route.upload = std::get<std::shared_ptr<HttpUpload>>(std::move(opened));
    route.takes_body = true;
  }
  return route;
}

}  // namespace neardup
