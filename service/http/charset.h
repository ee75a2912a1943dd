// The charset of a body: all text of a request is UTF-8.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "service/http/route.h"

namespace neardup {

// The parameter `charset` of a Content-Type (RFC 9110, §8.3), without quotes; "" if there is none.
std::string charset_of(std::string_view content_type);

// Requests of these routes that have a body are refused with 415 when they name another charset
// than UTF-8, in any case. `refused` is called for each, in the port's thread.
void refuse_other_charsets(HttpRoutes& routes, std::function<void()> refused);

}  // namespace neardup
