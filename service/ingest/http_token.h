// The tokens that let requests write.
#pragma once

#include <string>
#include <vector>

#include "config/service_options.h"

namespace neardup {

inline constexpr const char* kHttpTokenFile = "http_token";

// That of http.token_file. Without one, on a loopback address, that of the file `http_token` in the
// directory of the state, which is made and then kept, readable by its owner alone. Throws
// Failure(kConfig) without a token on any other address, Failure(kIo) when the file cannot be read
// or written.
std::vector<std::string> write_tokens(const HttpOptions& options, const std::string& state);

// The command line that sends documents to the service at `url`.
std::string curl_line(const HttpOptions& options, const std::string& state, const std::string& url);

}  // namespace neardup
