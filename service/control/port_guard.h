// Access control and TLS of a service, by its configuration.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "service/http/connection/tls.h"
#include "service/http/guard.h"
#include "service/log/log.h"

namespace neardup {

// Can only this machine reach HOST:PORT?
bool on_loopback(std::string_view listen);

// `writers`: tokens that may write besides those of http.token_file. Changed files are read again;
// problems with them are logged. Requires: `log` outlives the result.
HttpGuard make_guard(const HttpOptions& options, std::vector<std::string> writers, Log& log);

// TLS of the port, or null where none is configured. Problems with changed files are logged.
// Requires: `log` outlives the result. Throws Failure(kConfig) when the files cannot be used.
std::unique_ptr<HttpTls> make_tls(const HttpTlsOptions& options, Log& log);

}  // namespace neardup
