// The files of `kafka.secrets`.
#pragma once

#include "config/findings.h"
#include "service/options.h"

namespace neardup {

// Reads each file into `kafka.secret_values`, without the newline at its end. Problems name the
// key, never the content, nor the path: it may be the secret itself, put there by mistake.
void read_secrets(KafkaOptions& kafka, Findings& findings);

}  // namespace neardup
