// Checks that the login and TLS settings of `kafka.librdkafka` and `kafka.secrets` take effect:
// librdkafka ignores those that do not belong to its protocol, which is plaintext by default.
#pragma once

#include "config/diagnostics.h"
#include "config/kafka_client.h"
#include "config/service_options.h"

namespace neardup {

// `library`: null leaves out what depends on the installed library. Reports what would connect
// without the login or encryption that is configured, and what can never log in. Warns of what
// weakens either.
void check_kafka_security(const KafkaOptions& kafka, const KafkaClientLibrary* library,
                          Findings& findings);

}  // namespace neardup
