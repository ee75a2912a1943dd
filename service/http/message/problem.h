// Errors as RFC 9457 has them: `application/problem+json`.
#pragma once

#include <optional>
#include <string_view>

#include "service/http/message/message.h"

namespace neardup {

// `reason`: a name for programs, in docs/api.md. `detail`: what is wrong and what to do, for
// people. `exit`: what a command that asked ends with. A 429 and a 503 say to retry after a second.
HttpAnswer problem(int status, std::string_view reason, std::string_view detail,
                   std::optional<int> exit = {});

}  // namespace neardup
