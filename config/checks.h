// Checks that need more than one key, and the files that keys name.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "config/diagnostics.h"
#include "config/kafka_client.h"
#include "config/service_options.h"

namespace neardup {

struct CheckOptions {
  bool service = false;
  const KafkaClientLibrary* kafka_client = nullptr;  // null: its keys are not looked up
};

// Reads `config.seed_file`, if any, into `config.sketch.seed`, then compares keys with each other.
// For a service also asks for the keys that it needs and reads the files of `kafka.secrets`. Says
// nothing about keys that are broken already.
void finish_config(Config& config, const CheckOptions& options, const Origins& origins,
                   Problems& problems, std::vector<std::string>& warnings);

// Of the keys that make a service (service_checks.cc).
// `service`: the keys that `serve` needs are asked for, and what only other commands can do is
// refused; otherwise what only `serve` can do.
void check_service(const Config& config, bool service, Findings& findings);

// Whether the login and TLS settings of `kafka.librdkafka` and `kafka.secrets` take effect
// (kafka_security.cc): librdkafka ignores those that do not belong to its protocol, which is
// plaintext by default. `library`: null leaves out what depends on the installed library. Reports
// what would connect without the login or encryption that is configured, and what can never log in.
// Warns of what weakens either.
void check_kafka_security(const KafkaOptions& kafka, const KafkaClientLibrary* library,
                          Findings& findings);

}  // namespace neardup
