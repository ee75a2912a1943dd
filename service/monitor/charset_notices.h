// Requests in other charsets than UTF-8, refused and counted.
#pragma once

#include <string>
#include <string_view>

#include "metrics/registry.h"
#include "service/http/route.h"
#include "service/log/log.h"

namespace neardup {

// The parameter `charset` of a Content-Type (RFC 9110, §8.3), without quotes; "" if there is none.
std::string charset_of(std::string_view content_type);

// Refuses them with 415 on all routes with a body, counts each as a notice, and logs the first. A
// charset is compared without regard to case. Both references must outlive the routes.
void refuse_other_charsets(HttpRoutes& routes, MetricRegistry& registry, Log& log);

}  // namespace neardup
