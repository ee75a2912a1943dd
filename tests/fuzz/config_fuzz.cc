// Any bytes as a configuration file, a --set option and a variable end in a result or in problems;
// a configuration without problems is shown as YAML that loads to the same, but for its secrets.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "config/load.h"
#include "config/show.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace neardup;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // The seed file is the one thing that reads what it is told to; fuzzing must not.
  if (bytes.find("seed_file") != std::string_view::npos) return 0;
  LoadRequest request;
  request.file = "fuzz.yaml";
  const LoadResult loaded = load_config_text(bytes, request);
  const std::string yaml = show_config(loaded.config);
  // What is not shown is lost.
  if (loaded.problems.empty() && yaml.find("(secret)") == std::string::npos) {
    const LoadResult again = load_config_text(yaml, request);
    if (!again.problems.empty() || show_config(again.config) != yaml) std::abort();
  }
  request.sets = {std::string(bytes), "input.id_field=" + std::string(bytes),
                  "kafka.topics=" + std::string(bytes), "kafka.librdkafka." + std::string(bytes)};
  const std::string name(bytes.substr(0, 40));
  request.environment = {{"NEARDUP_" + name, "1"}, {"NEARDUP_KAFKA_SECRETS_" + name, "1"}};
  load_config_text({}, request);
  return 0;
}
