// One HTTP request to a service.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "service/http/message.h"

namespace neardup {

// POSTs JSON with `Authorization: Bearer token` to http://HOST:PORT. Nothing without a complete
// HTTP reply within `timeout`. `path` is sent as it is.
std::optional<HttpReply> http_post(const std::string& url, const std::string& path,
                                   const std::string& token, const std::string& body,
                                   std::chrono::seconds timeout);

// GETs http://HOST:PORT/PATH. Nothing without a complete HTTP reply within `timeout`.
std::optional<HttpReply> http_get(const std::string& url, std::chrono::seconds timeout);

}  // namespace neardup
