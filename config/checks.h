// Checks that involve several keys, and the files that keys name.
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
  bool cluster_command = false;                      // instead
  bool reads_records = true;                         // by `input`
  bool finds_fields = false;                         // as LoadRequest
  const KafkaClientLibrary* kafka_client = nullptr;  // null: its keys are not checked
};

// Reads `config.seed_file`, if any, into `config.sketch.seed`, and runs the checks of several keys.
// For a service it also checks that the required keys are set, and reads the files of
// `kafka.secrets` and `http.token_file`. Keys whose value was already reported are not checked.
void finish_config(Config& config, const CheckOptions& options, const Origins& origins,
                   Problems& problems, std::vector<std::string>& warnings);

// Checks the settings of a service (service_checks.cc). For a service the required keys must be
// set, and settings that `serve` does not support are problems; otherwise settings that only
// `serve` supports are.
void check_service(const Config& config, const CheckOptions& options, Findings& findings);

// Checks what `neardup cluster` needs: brokers and the name of the cluster, regardless of the role.
void check_cluster_command(const Config& config, Findings& findings);

// Checks the login and TLS settings of `kafka.librdkafka` and `kafka.secrets` (kafka_security.cc).
// librdkafka ignores settings that do not belong to `security.protocol`, which is plaintext by
// default. Reports settings that would have no effect and logins that cannot succeed, and warns of
// settings that weaken the login or the encryption. `library`: null skips the checks that depend on
// the installed library.
void check_kafka_security(const KafkaOptions& kafka, const KafkaClientLibrary* library,
                          Findings& findings);

}  // namespace neardup
