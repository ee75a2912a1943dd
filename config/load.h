// Loads the configuration: defaults, then a YAML file, then NEARDUP_… environment variables, then
// --set options; the later wins.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/config.h"
#include "config/kafka_client.h"

namespace neardup {

struct LoadRequest {
  std::optional<std::string> file;  // its path, as it is to be named in messages
  std::vector<std::pair<std::string, std::string>>
      environment;                // all variables; others are skipped
  std::vector<std::string> sets;  // KEY=VALUE
  // The state ends with the process (scan without --state): it is marked so, and exact verification
  // turns storage.keep_texts on by itself.
  bool temporary_state = false;
  // For `serve`: the keys that it needs must be there, and its secret files are read.
  bool service = false;
  // The same if the file has a section `kafka` that says anything but the defaults.
  bool service_if_kafka = false;
  // Knows the keys of `kafka.librdkafka`; null: any key is taken.
  const KafkaClientLibrary* kafka_client = nullptr;
};

struct LoadResult {
  Config config;                      // usable only when there are no problems
  std::vector<std::string> problems;  // "config.yaml:12: unknown key …"; empty: all is well
  std::vector<std::string> warnings;
};

// Never throws for what is configured; a file that cannot be read is a problem too.
LoadResult load_config(const LoadRequest& request);

// The same with the file's content given; `request.file` only names it.
LoadResult load_config_text(std::string_view yaml, const LoadRequest& request);

}  // namespace neardup
