// What `neardup config` prints: a configuration, the reference page, a schema. All of it is made
// from the table of keys.
#pragma once

#include <string>

#include "config/config.h"

namespace neardup {

// `config show`: a whole configuration as YAML.
// Every key with its value, as the loader reads it. A seed of one's own and secret values of
// `kafka.librdkafka` are not printed: a comment replaces them.
std::string show_config(const Config& config);

// `config reference`: docs/configuration.md.
std::string reference_markdown();

// `config schema`, for editors and for the chart.
// JSON Schema 2020-12 of a configuration file: all keys, their types, bounds, defaults and help. It
// takes every file that load.h takes; what needs several keys, or the machine, only load.h finds.
// Numbers may stand as texts, as in YAML. A pattern `x-secret-names` of the map kafka.librdkafka
// tells which names are secret (librdkafka_keys.h).
std::string schema_json();

}  // namespace neardup
