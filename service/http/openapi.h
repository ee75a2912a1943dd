// The table of routes as an OpenAPI 3.1 document.
#pragma once

#include <string>

#include "service/http/route.h"

namespace neardup {

// `version`: of the program. One object, one line.
std::string openapi_json(const HttpRoutes& routes, const std::string& version);

}  // namespace neardup
