#include "service/cli/setup.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/file/remote_input.h"
#include "service/kafka/client/client_library.h"
#include "service/state/settings.h"
#include "storage/stores.h"

namespace neardup {
namespace {

std::vector<std::pair<std::string, std::string>> environment() {
  std::vector<std::pair<std::string, std::string>> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

struct Preset {
  std::string_view name;
  std::vector<std::string> sets;
};

// Starting points; docs/files.md says where each comes from.
const std::vector<Preset>& presets() {
  static const std::vector<Preset> all{
      {"web", {"threshold=0.75", "shingle.size=5"}},
      {"code", {"threshold=0.7", "shingle.size=5"}},
      {"news", {"threshold=0.7", "shingle.size=3"}},
      {"short", {"threshold=0.7", "shingle.unit=char", "shingle.size=4", "text.min_tokens=12"}},
  };
  return all;
}

// The settings of --preset, which are said.
std::vector<std::string> preset_of(const CommandLine& line) {
  const auto name = line.one("--preset");
  if (!name) return {};
  const auto preset = std::ranges::find(presets(), *name, &Preset::name);
  if (preset == presets().end()) {
    std::vector<std::string_view> names;
    for (const Preset& known : presets()) names.push_back(known.name);
    throw Failure(Exit::kUsage,
                  fmt::format("--preset: {} is not one of {}", *name, fmt::join(names, ", ")));
  }
  if (!line.has("--quiet")) {
    fmt::print(stderr, "neardup: note: --preset {} is --set {}\n", *name,
               fmt::join(preset->sets, " --set "));
  }
  return preset->sets;
}

}  // namespace

Config load_configuration(const CommandLine& line, ConfigUse use) {
  return usable_configuration(read_configuration(line, use, nullptr));
}

LoadResult read_configuration(const CommandLine& line, ConfigUse use, const Config* base) {
  LoadRequest request;
  request.base = base;
  request.file = line.one(line.command.starts_with("config ") ? "FILE" : "--config");
  request.environment = environment();
  request.sets = preset_of(line);
  for (std::string& set : line.all("--set")) request.sets.push_back(std::move(set));
  for (const auto& [option, key] :
       {std::pair{"--threshold", "threshold"}, std::pair{"--recall", "lsh.recall"}}) {
    if (const auto value = line.one(option))
      request.sets.push_back(fmt::format("{}={}", key, *value));
  }
  if (const auto state = line.command == "serve" ? line.one("--state") : std::nullopt)
    request.sets.push_back(fmt::format("storage.path={}", *state));
  request.temporary_state = use == ConfigUse::kTemporaryState;
  if (const auto role = line.one("--role"))
    request.sets.push_back(fmt::format("cluster.role={}", *role));
  constexpr std::string_view kReadFiles[] = {"scan",   "check",  "explain",
                                             "report", "groups", "features"};
  request.finds_fields = std::ranges::find(kReadFiles, line.command) != std::end(kReadFiles);
  request.service = use == ConfigUse::kService;
  request.reads_records = use != ConfigUse::kIds;
  request.cluster_command = use == ConfigUse::kCluster;
  request.service_if_kafka = use == ConfigUse::kAny;
  const auto kafka_client = make_client_library();
  request.kafka_client = kafka_client.get();
  return load_config(request);
}

void print_warnings(const LoadResult& result) {
  for (const std::string& warning : result.warnings)
    fmt::print(stderr, "neardup: warning: {}\n", warning);
}

Config usable_configuration(LoadResult result) {
  print_warnings(result);
  return require_usable(std::move(result));
}

std::string existing_state_path(const CommandLine& line) {
  const auto path = line.one("--state");
  if (!path) throw Failure(Exit::kUsage, "--state DIR is needed: the directory of the state");
  if (!std::filesystem::exists(*path)) {
    throw Failure(
        Exit::kUnavailable,
        fmt::format("{}: there is no state here; `neardup scan --state` creates one", *path));
  }
  return *path;
}

std::unique_ptr<Store> open_existing_state(const CommandLine& line, OpenMode mode) {
  StorageOptions options;
  options.path = existing_state_path(line);
  // It is not known whether the state keeps texts, and requesting them is harmless.
  options.keep_texts = KeepTexts::kAll;
  return open_store(options, mode);
}

void require_output_is_no_input(const std::string& output, const std::vector<std::string>& inputs) {
  require_local_output("--output", output);
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (std::filesystem::equivalent(output, input, ignored)) {
      throw Failure(Exit::kUsage,
                    fmt::format("--output {} is an input too and would be overwritten", output));
    }
  }
}

}  // namespace neardup
