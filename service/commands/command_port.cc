#include "service/commands/command_port.h"

#include "service/http/guard.h"

namespace neardup {

std::unique_ptr<HttpServer> command_port(HttpOptions options, Control& control) {
  if (options.tls.cert_file.empty()) return nullptr;
  HttpRoutes routes;
  control.add_routes(routes);
  HttpGuard guard;
  guard.set_writers({control.token()});
  options.listen = "127.0.0.1:0";
  return std::make_unique<HttpServer>(options, routes, guard);
}

}  // namespace neardup
