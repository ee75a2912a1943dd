#include "service/commands/command_port.h"

#include <algorithm>
#include <iterator>

#include "service/http/guard.h"

namespace neardup {

std::unique_ptr<HttpServer> command_port(HttpOptions options, const HttpRoutes& routes,
                                         const std::string& token) {
  if (options.tls.cert_file.empty()) return nullptr;
  HttpRoutes of_commands;
  std::ranges::copy_if(routes, std::back_inserter(of_commands), [](const HttpRoute& route) {
    return route.path.starts_with("/v1/control/");
  });
  HttpGuard guard;
  guard.set_writers({token});
  options.listen = "127.0.0.1:0";
  return std::make_unique<HttpServer>(options, of_commands, guard);
}

}  // namespace neardup
