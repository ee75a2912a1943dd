// The output of `neardup config`: a configuration, the reference page, a schema. All of it is made
// from the table of keys.
#pragma once

#include <string>

#include "config/config.h"

namespace neardup {

// `config show`: a whole configuration as YAML.
// Every key with its value, as the loader reads it. Comments replace a seed that is not the default
// and the secret values of `kafka.librdkafka`.
std::string show_config(const Config& config);

// `config reference`: docs/configuration.md.
std::string reference_markdown();

// `config schema`, for editors and for the chart.
// JSON Schema 2020-12 of a configuration file: all keys, their types, bounds, defaults and help. It
// accepts every file that load.h accepts; checks of several keys, or of the machine, are only in
// load.h. Numbers may be strings, as in YAML. The pattern `x-secret-names` of the map
// kafka.librdkafka finds the names that are secret (librdkafka_keys.h).
std::string schema_json();

}  // namespace neardup
