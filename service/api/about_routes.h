// Requests about the service itself.
#pragma once

#include <string>

#include "config/config.h"
#include "pipeline/rule/rule.h"
#include "service/http/route.h"

namespace neardup {

// Adds /v1/rule, /v1/config and /openapi.json, which describes all routes that are there then, and
// itself. `version`: of the program.
void add_about_routes(const Config& config, const Rule& rule, const std::string& version,
                      HttpRoutes& routes);

}  // namespace neardup
