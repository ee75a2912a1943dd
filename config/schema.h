// The configuration file as a JSON Schema, for editors and for the chart.
#pragma once

#include <string>

namespace neardup {

// JSON Schema 2020-12 of a configuration file: all keys, their types, bounds, defaults and help. It
// takes every file that load.h takes; what needs several keys, or the machine, only load.h finds.
// Numbers may stand as texts, as in YAML. A pattern `x-secret-names` of the map kafka.librdkafka
// tells which names are secret (librdkafka_keys.h).
std::string schema_json();

}  // namespace neardup
