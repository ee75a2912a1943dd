// The tokens of `http.token_file` while the service runs.
#pragma once

#include "config/service_options.h"
#include "service/http/tokens.h"
#include "service/log/log.h"

namespace neardup {

// `tokens` lets in those of the file, if there is one, and logs when a changed file cannot be used.
// Requires: `log` outlives it.
void follow_token_file(const HttpOptions& options, Log& log, HttpTokens& tokens);

}  // namespace neardup
