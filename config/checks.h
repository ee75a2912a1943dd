// Checks that need more than one key, and the seed file.
#pragma once

#include "config/config.h"
#include "config/origins.h"
#include "config/problems.h"

namespace neardup {

// Reads `config.seed_file`, if any, into `config.sketch.seed`, then compares keys with each other.
// Says nothing about keys that are broken already.
void finish_config(Config& config, const Origins& origins, Problems& problems);

}  // namespace neardup
