#include "service/cli/setup.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/rule/bands.h"
#include "service/kafka/client/client_library.h"
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

}  // namespace

Config load_configuration(const CommandLine& line, ConfigUse use) {
  return usable_configuration(read_configuration(line, use, nullptr));
}

LoadResult read_configuration(const CommandLine& line, ConfigUse use, const Config* base) {
  LoadRequest request;
  request.base = base;
  request.file = line.one(line.command.starts_with("config ") ? "FILE" : "--config");
  request.environment = environment();
  request.sets = line.all("--set");
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
  request.service = use == ConfigUse::kService;
  request.reads_records = use != ConfigUse::kIds;
  request.cluster_command = use == ConfigUse::kCluster;
  request.service_if_kafka = use == ConfigUse::kAny;
  const auto kafka_client = make_client_library();
  request.kafka_client = kafka_client.get();
  return load_config(request);
}

Config usable_configuration(LoadResult result) {
  for (const std::string& warning : result.warnings)
    fmt::print(stderr, "neardup: warning: {}\n", warning);
  if (result.problems.empty()) return std::move(result.config);
  std::string message = "the configuration cannot be used:";
  for (const std::string& problem : result.problems) message += "\n  " + problem;
  throw Failure(Exit::kConfig, message);
}

Rule make_rule(const Config& config) {
  const Bands bands = solve_bands(config.lsh, config.sketch, config.decision.threshold,
                                  config.storage.expected_documents);
  Rule rule;
  rule.text = config.text;
  rule.plan = {config.shingle, config.sketch, bands.bands, bands.rows};
  rule.bucket_cap = config.lsh.bucket_cap;
  rule.decision = config.decision;
  rule.retention = config.retention;
  return rule;
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
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (std::filesystem::equivalent(output, input, ignored)) {
      throw Failure(Exit::kUsage,
                    fmt::format("--output {} is an input too and would be overwritten", output));
    }
  }
}

TemporaryDirectory::TemporaryDirectory() {
  const char* parent = std::getenv("TMPDIR");
  std::string pattern =
      fmt::format("{}/neardup-XXXXXX", parent != nullptr && *parent != '\0' ? parent : "/tmp");
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Failure(
        Exit::kIo,
        fmt::format("{}: cannot make a temporary directory: {}; set TMPDIR to a writable one",
                    pattern, std::generic_category().message(errno)));
  }
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace neardup
