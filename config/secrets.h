// The files of `kafka.secrets` and `http.token_file`.
#pragma once

#include "config/diagnostics.h"
#include "config/service_options.h"

namespace neardup {

// Reads each file into `kafka.secret_values`, without the newline at its end. Problems name the
// key, never the content, nor the path: it may be the secret itself, put there by mistake.
void read_secrets(KafkaOptions& kafka, Findings& findings);

// Reads `http.token_file`, if any, into `http.token`: visible ASCII characters, 16 or more.
void read_token(HttpOptions& http, Findings& findings);

}  // namespace neardup
