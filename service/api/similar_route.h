// POST /v1/similar.
#pragma once

#include "service/control/shared.h"
#include "service/http/route.h"

namespace neardup {

// Requires: the server of the route is destroyed before `searches`.
HttpRoute similar_route(Searches& searches);

}  // namespace neardup
