// Makes configuration, rule and stores from the command line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/load.h"
#include "service/cli/command_line.h"
#include "storage/store.h"

namespace neardup {

// The purpose of a configuration: which keys are required, and which are not allowed.
enum class ConfigUse : std::uint8_t {
  kTemporaryState,  // a run over files whose state is removed at its end
  kKeptState,       // a run over files that keeps its state
  kIds,             // questions about what a state holds, without records
  kService,         // serve
  kCluster,         // cluster init, status and place, and sketch
  kAny,             // config show and check: as a service if the file has a section `kafka`
};

// Loads --config, the environment and --set. Warnings go to stderr. Throws Failure(kConfig) that
// lists all problems.
Config load_configuration(const CommandLine& line, ConfigUse use);

// The steps of it. `base`: as LoadRequest.
LoadResult read_configuration(const CommandLine& line, ConfigUse use, const Config* base);
void print_warnings(const LoadResult& result);
Config usable_configuration(LoadResult result);

// The directory at --state. Throws Failure(kUsage) without the option, Failure(kUnavailable) when
// it does not exist.
std::string existing_state_path(const CommandLine& line);

// An existing state at --state. Throws Failure(kUsage) without --state.
std::unique_ptr<Store> open_existing_state(const CommandLine& line, OpenMode mode);

// Throws Failure(kUsage) when the file `output` is one of `inputs`.
void require_output_is_no_input(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace neardup
