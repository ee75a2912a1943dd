// The files of `kafka.secrets`, `http.token_file` and `http.read_token_file`.
#pragma once

#include <string>
#include <vector>

#include "config/diagnostics.h"
#include "config/service_options.h"

namespace neardup {

// Reads each file into `kafka.secret_values`, without the newline at its end. Problems name the
// key, never the content, nor the path: it may be the secret itself, put there by mistake.
void read_secrets(KafkaOptions& kafka, Findings& findings);

// Reads the files of tokens, where there are any, into `http.tokens` and `http.read_tokens`.
void read_tokens(HttpOptions& http, Findings& findings);

// Reads the tokens of a file, one a line: visible ASCII characters, 16 or more. Returns the
// problem, or "".
std::string read_token_file(const std::string& path, std::vector<std::string>& tokens);

}  // namespace neardup
