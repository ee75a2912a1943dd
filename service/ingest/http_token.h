// The token that a service makes where only this machine can reach it.
#pragma once

#include <string>

#include "config/service_options.h"

namespace neardup {

inline constexpr const char* kHttpTokenFile = "http_token";
std::string token_path(const std::string& state);

// The token of the file `http_token` in the directory of the state, for a service without
// http.token_file. The file is made, readable by its owner alone, and then kept. Throws
// Failure(kConfig) where other machines can reach the port, Failure(kIo) when the file cannot be
// read or written.
std::string state_token(const HttpOptions& options, const std::string& state);

// The command line that sends documents to the service at `url`.
std::string curl_line(const HttpOptions& options, const std::string& state, const std::string& url);

}  // namespace neardup
