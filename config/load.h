// Loads the configuration: defaults, then a YAML file, then NEARDUP_… environment variables, then
// --set options; the later wins.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/config.h"
#include "config/kafka_client.h"

namespace neardup {

struct LoadRequest {
  std::optional<std::string> file;  // its path, as messages name it
  std::vector<std::pair<std::string, std::string>>
      environment;                // all variables; only NEARDUP_… are used
  std::vector<std::string> sets;  // KEY=VALUE
  // The state is temporary (scan without --state): sets storage.temporary, and exact verification
  // sets storage.keep_texts to `kept`.
  bool temporary_state = false;
  // For `serve`: the keys that it requires must be set, and its secret files are read.
  bool service = false;
  // The same if the file has a section `kafka` and not all Kafka settings are the defaults.
  bool service_if_kafka = false;
  // For `cluster` and `sketch`: the brokers and the name of the cluster must be set, and secret
  // files are read.
  bool cluster_command = false;
  // What settings begin with in place of the defaults: those of a state. Null: the defaults.
  const Config* base = nullptr;
  // False: the command reads no records, so what `input` says of them does not matter.
  bool reads_records = true;
  // The command reads files, whose fields it may find by itself: `input.id: auto` is its default
  // where no field of ids or texts is given, and is refused elsewhere.
  bool finds_fields = false;
  // Checks the keys of `kafka.librdkafka`; null: any key is accepted.
  const KafkaClientLibrary* kafka_client = nullptr;
};

struct LoadResult {
  Config config;                      // usable only when there are no problems
  std::vector<std::string> problems;  // "config.yaml:12: unknown key …"; empty: all is well
  std::vector<std::string> warnings;
  // The keys that were given a usable value, and where: "config.yaml:12", "--set".
  std::map<std::string, std::string, std::less<>> given;
};

// Reports errors as problems and does not throw them, also for a file that cannot be read.
LoadResult load_config(const LoadRequest& request);

// The same with the file's content given; `request.file` only names it.
LoadResult load_config_text(std::string_view yaml, const LoadRequest& request);

}  // namespace neardup
