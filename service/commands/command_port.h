// A separate port for commands on this machine.
#pragma once

#include <memory>
#include <string>

#include "config/service_options.h"
#include "service/http/route.h"
#include "service/http/server.h"

namespace neardup {

// Where the other port has TLS: one without it, for those of its routes that are for commands,
// which find it by the control file. Else null. `token`: that of the run. What the routes refer to
// must outlive it.
std::unique_ptr<HttpServer> command_port(HttpOptions options, const HttpRoutes& routes,
                                         const std::string& token);

}  // namespace neardup
