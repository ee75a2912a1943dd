// Failures of requests, as answers.
#pragma once

#include <functional>

#include "service/http/message/message.h"

namespace neardup {

// What `answer` gives; for what it throws, a problem (service/http/message/problem.h).
HttpAnswer answered(const std::function<HttpAnswer()>& answer);

}  // namespace neardup
