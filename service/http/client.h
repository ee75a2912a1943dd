// One request to a port of ours.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "service/http/message.h"

namespace neardup {

// POSTs JSON with `Authorization: Bearer token` to http://HOST:PORT. Nothing when nobody answers,
// or not all within `timeout`, or not as HTTP. `url` and `path` as the server wrote them.
std::optional<HttpReply> http_post(const std::string& url, const std::string& path,
                                   const std::string& token, const std::string& body,
                                   std::chrono::seconds timeout);

// GETs http://HOST:PORT/PATH. Nothing when nobody answers, or not all within `timeout`.
std::optional<HttpReply> http_get(const std::string& url, std::chrono::seconds timeout);

}  // namespace neardup
