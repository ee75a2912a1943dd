// The requests of supervisors.
#pragma once

#include <string>

#include "service/http/health.h"
#include "service/http/route.h"

namespace neardup {

// /healthz and /readyz (200, or 503 with one reason a line) and /version (`version` is JSON).
// Requires: `health` outlives the routes.
HttpRoutes operation_routes(const Health& health, const std::string& version);

}  // namespace neardup
