// The head of a request → its route, or a refusal.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "service/http/guard.h"
#include "service/http/message/target.h"
#include "service/http/route.h"

namespace neardup {

// The handler of one request.
struct HttpTurn {
  std::optional<HttpAnswer> refusal = {};   // if set, only `fields` is used besides
  std::shared_ptr<HttpUpload> upload = {};  // if set, it takes the body and answers
  std::function<HttpAnswer(std::string body)> answer = {};
  HttpThread thread = HttpThread::kPort;
  HttpCaller caller = HttpCaller::kAnybody;
  ClientLeft left = {};     // not null: is to be set when the client leaves before the answer
  bool takes_body = false;  // else no body is read, and `answer` is given ""
  HttpFields fields = {};   // of every answer, a refusal too
};

class HttpRouter {
 public:
  HttpRouter(HttpRoutes routes, HttpGuard guard, HttpCors cors = HttpCors())
      : routes_(std::move(routes)), guard_(std::move(guard)), cors_(std::move(cors)) {}

  // Everything that can be refused without the body is refused here: an unknown path (404, which
  // lists the known ones), a wrong method (405), who may not ask (guard.h), and parameters that are
  // not understood (400). So are pages of other origins (403), and what a browser asks before such
  // a page may (guard.h): it has no token. Who asks is known also of what is refused.
  HttpTurn turn(const RequestHead& head);

 private:
  HttpTurn routed(const RequestHead& head, HttpCaller caller);
  HttpTurn turn(const RequestHead& head, const HttpRoute& route, HttpCaller caller,
                TargetValues values);
  HttpAnswer not_found() const;

  const HttpRoutes routes_;
  HttpGuard guard_;
  const HttpCors cors_;
};

}  // namespace neardup
