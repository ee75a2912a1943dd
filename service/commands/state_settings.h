// The settings of a command that reads a state: the rule is that of the state.
#pragma once

#include <string>

#include "pipeline/rule/rule.h"
#include "service/cli/command_line.h"
#include "service/cli/setup.h"
#include "service/state/settings.h"
#include "storage/store.h"

namespace neardup {

// The settings given on the command line, in its file and in the environment, over those of the
// state. `stored`: the text of its rule; of a state without one, or of another version, the
// settings are taken as they are given. Throws Failure(kConfig) that names each given setting that
// the state contradicts, and as load_configuration.
StateSettings settings_for(const CommandLine& line, ConfigUse use, const std::string& stored);

// The same for an opened state.
StateSettings settings_for(const CommandLine& line, ConfigUse use, Store& store);

// The same for the state at --state: its rule is read from the service that holds it, or else from
// the state itself. Throws Failure(kUnavailable) when it has none.
StateSettings settings_of_state(const CommandLine& line, ConfigUse use);

// Throws Failure(kConfig), which asks for the seed, where it is unknown. `what` cannot be done
// without it, as the beginning of a sentence.
void require_seed(const Rule& rule, const char* what);

}  // namespace neardup
