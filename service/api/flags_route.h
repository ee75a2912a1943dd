// The latest flags: those behind a seq, or live.
#pragma once

#include "service/http/route.h"
#include "service/records/recent_flags.h"

namespace neardup {

// GET /v1/flags. Requires: the server of the route is destroyed before `flags`.
HttpRoute flags_route(RecentFlags& flags);

}  // namespace neardup
