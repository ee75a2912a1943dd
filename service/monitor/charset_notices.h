// Requests in other charsets than UTF-8, refused and counted.
#pragma once

#include "metrics/registry.h"
#include "service/http/route.h"
#include "service/log/log.h"

namespace neardup {

// Refuses them on all routes with a body, counts each as a notice, and logs the first. Both
// references must outlive the routes.
void refuse_other_charsets(HttpRoutes& routes, MetricRegistry& registry, Log& log);

}  // namespace neardup
