// GET /v1/history.
#pragma once

#include "service/http/route.h"
#include "service/monitor/history.h"

namespace neardup {

// Requires: the server of the route is destroyed before `history`.
HttpRoute history_route(const History& history);

}  // namespace neardup
