// Rules about individual keys of librdkafka.
#pragma once

#include <string>
#include <string_view>

#include "config/diagnostics.h"
#include "config/kafka_client.h"
#include "config/service_options.h"

namespace neardup {

// True for passwords, private keys and tokens: their values are never shown, and do not belong in
// the chart's config map.
bool is_secret_key(std::string_view key);

// A regular expression that finds the keys for which is_secret_key is true.
std::string secret_key_pattern();

// Reports keys of `kafka.librdkafka` and `kafka.secrets` that the service sets itself, that are in
// both, or that `library` does not accept. `library`: null skips the last check.
void check_librdkafka(const KafkaOptions& kafka, const KafkaClientLibrary* library,
                      Findings& findings);

}  // namespace neardup
