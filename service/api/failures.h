// Failures of requests, as answers; refused charsets.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "metrics/registry.h"
#include "service/http/route.h"
#include "service/log/log.h"

namespace neardup {

// What `answer` gives; for what it throws, a problem (service/http/message/problem.h).
HttpAnswer answered(const std::function<HttpAnswer()>& answer);

// From now on failures of these requests are events of the log, of each kind one in ten seconds:
// what their answers throw, memory that ran out too, and answers with 500. Requires: `log` outlives
// the routes.
void log_failures(Log& log, HttpRoutes& routes);

// The parameter `charset` of a Content-Type (RFC 9110, §8.3), without quotes; "" if there is none.
std::string charset_of(std::string_view content_type);

// Refuses requests in other charsets than UTF-8 with 415 on all routes with a body, counts each as
// a notice, and logs the first. A charset is compared without regard to case. Both references must
// outlive the routes.
void refuse_other_charsets(HttpRoutes& routes, MetricRegistry& registry, Log& log);

}  // namespace neardup
