// What is known about single keys of librdkafka.
#pragma once

#include <string_view>

#include "config/findings.h"
#include "service/options.h"

namespace neardup {

// Is the value of this key kept off the screen? Passwords and private keys.
bool is_secret_key(std::string_view key);

// Refuses keys of `kafka.librdkafka` and `kafka.secrets` that the service sets itself, and those
// that stand in both.
void check_librdkafka(const KafkaOptions& kafka, Findings& findings);

}  // namespace neardup
