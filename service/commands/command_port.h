// A port of their own for commands on this machine.
#pragma once

#include <memory>

#include "config/service_options.h"
#include "service/control/control.h"
#include "service/http/server.h"

namespace neardup {

// Where the other port has TLS: one without it, which commands find by the control file. Else null.
// Requires: `control` outlives it.
std::unique_ptr<HttpServer> command_port(HttpOptions options, Control& control);

}  // namespace neardup
