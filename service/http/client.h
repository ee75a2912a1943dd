// One HTTP request to a service.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "service/http/message/message.h"

namespace neardup {

// A URL is http://HOST:PORT or https://HOST:PORT. Nothing is returned without a complete HTTP reply
// within `timeout`. Throws Failure(kConfig) when TLS fails, such as for a certificate that is not
// trusted (tls.h) or not for HOST.

// POSTs JSON with `Authorization: Bearer token`. `path` is sent as it is.
std::optional<HttpReply> http_post(const std::string& url, const std::string& path,
                                   const std::string& token, const std::string& body,
                                   std::chrono::seconds timeout);

// GETs the URL, which may have a path.
std::optional<HttpReply> http_get(const std::string& url, std::chrono::seconds timeout);

}  // namespace neardup
