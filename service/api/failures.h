// Failures of requests, as answers.
#pragma once

#include <functional>

#include "service/http/route.h"
#include "service/log/log.h"

namespace neardup {

// What `answer` gives; for what it throws, a problem (service/http/message/problem.h).
HttpAnswer answered(const std::function<HttpAnswer()>& answer);

// From now on failures of these requests are events of the log, of each kind one in ten seconds:
// what their answers throw, memory that ran out too, and answers with 500. Requires: `log` outlives
// the routes.
void log_failures(Log& log, HttpRoutes& routes);

}  // namespace neardup
