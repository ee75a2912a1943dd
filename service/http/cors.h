// Web pages of other origins: what a browser needs to hear before a page may ask the service and
// read its answers (the CORS protocol of the Fetch standard).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/http/message/message.h"

namespace neardup {

// A browser asks first, by OPTIONS with Origin and Access-Control-Request-Method and without a
// token, before it sends what no form of a page could send.
bool is_preflight(const RequestHead& head);

// The refusal of what may not ask.
HttpAnswer unknown_origin();

class HttpCors {
 public:
  // `origins`: SCHEME://HOST[:PORT], as browsers send them.
  explicit HttpCors(std::vector<std::string> origins = {}) : origins_(std::move(origins)) {}

  // Fields that let a page of `origin` read the answer; none when it may not.
  HttpFields fields(std::string_view origin) const;
  // Whether what asks may have the request carried out: a program, which tells no origin, a page of
  // the service itself, whose origin is the Host of the request, or a page of a listed origin.
  bool may_ask(const RequestHead& head) const;
  // The answer to a preflight, without these fields. `methods`: with commas, those of the path.
  HttpAnswer preflight(std::string_view origin, const std::string& methods) const;

 private:
  bool allows(std::string_view origin) const;

  std::vector<std::string> origins_;
};

}  // namespace neardup
