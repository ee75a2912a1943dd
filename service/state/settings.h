// The settings of who works on a state: the rule is that of the state.
#pragma once

#include <functional>
#include <string>

#include "config/config.h"
#include "config/load.h"
#include "pipeline/rule/rule.h"

namespace neardup {

// The configuration of a result without problems. Throws Failure(kConfig) that lists all problems.
Config require_usable(LoadResult result);

// The rule of a configuration, with bands and rows solved. Throws Failure(kConfig).
Rule make_rule(const Config& config);

struct StateSettings {
  Config config;  // its part of the rule is that of the state, but for a seed that is unknown
  Rule rule;
};

// Loads the settings that are given. `base`: as LoadRequest.
using LoadSettings = std::function<LoadResult(const Config* base)>;

// The settings that are given, over those of the state. `stored`: the text of its rule; of a state
// without one, or of another version, the settings are taken as they are given. Throws
// Failure(kConfig) that names each given setting that the state contradicts, and as require_usable.
StateSettings settings_over(const std::string& stored, const LoadSettings& load);

}  // namespace neardup
