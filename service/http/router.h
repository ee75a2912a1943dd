// The head of a request → its handler, or a refusal.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "service/http/handlers.h"

namespace neardup {

struct HttpRoute {
  std::optional<HttpAnswer> refusal;   // if set, the other members are not used
  std::shared_ptr<HttpUpload> upload;  // if set, it takes the body and answers
  std::function<HttpAnswer(const std::string& body)> answer;
  HttpThread thread = HttpThread::kPort;
  bool takes_body = false;  // else no body is read, and `answer` is given ""
};

class HttpRouter {
 public:
  HttpRouter(HttpHandlers handlers, HttpControl control, HttpUploads uploads = {});

  // Everything that can be refused without the body is refused here: an unknown path (404,
  // which lists the known ones), a wrong method (405), a missing or wrong token (401).
  HttpRoute route(const RequestHead& head);

 private:
  HttpRoute upload_route(const RequestHead& head,
                         const std::function<HttpUploads::Opened(const RequestHead& head)>& open);
  HttpRoute control_route(const RequestHead& head,
                          const std::function<HttpAnswer(const std::string& body)>& answer);

  const HttpHandlers handlers_;
  HttpControl control_;
  HttpUploads uploads_;
};

}  // namespace neardup
