// Routes and guards for tests of the port.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "service/http/guard.h"
#include "service/http/health.h"
#include "service/http/route.h"

namespace neardup {

inline constexpr std::string_view kProbe = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
inline constexpr std::string_view kOk = "\r\n\r\nok\n";
inline constexpr const char* kToken = "0123456789abcdef";
inline constexpr std::uint32_t kLeast = 32;  // connections that can be configured

inline HttpRoute get_route(std::string path,
                           std::function<HttpAnswer(const HttpRequest& request)> answer) {
  return {.methods = {"GET"}, .path = std::move(path), .answer = std::move(answer)};
}

// The probes, and POST /do with a token, which answers "done " and its body.
inline HttpRoutes routes_to_try(const Health& health) {
  HttpRoutes routes = operation_routes(health, "{}");
  routes.push_back({.methods = {"POST"},
                    .path = "/do",
                    .access = HttpAccess::kWrite,
                    .thread = HttpThread::kControl,
                    .answer =
                        [](const HttpRequest& request) {
                          return HttpAnswer{200, "done " + request.body};
                        },
                    .takes = {"text/plain"}});
  return routes;
}

// Lets this token write.
inline HttpGuard guard_of(const std::string& token) {
  HttpGuard guard;
  guard.set_writers({token});
  return guard;
}

}  // namespace neardup
