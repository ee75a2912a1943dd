// What is known about single keys of librdkafka.
#pragma once

#include <string>
#include <string_view>

#include "config/diagnostics.h"
#include "config/kafka_client.h"
#include "config/service_options.h"

namespace neardup {

// Is the value of this key kept off the screen, and out of the chart's config map? Passwords,
// private keys and tokens.
bool is_secret_key(std::string_view key);

// The same as a regular expression that finds such a key.
std::string secret_key_pattern();

// Refuses keys of `kafka.librdkafka` and `kafka.secrets` that the service sets itself, those that
// stand in both, and what `library` does not take; null: that is not asked.
void check_librdkafka(const KafkaOptions& kafka, const KafkaClientLibrary* library,
                      Findings& findings);

}  // namespace neardup
