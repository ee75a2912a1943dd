// Checks that need more than one key, and the files that keys name.
#pragma once

#include "config/config.h"
#include "config/origins.h"
#include "config/problems.h"

namespace neardup {

// Reads `config.seed_file`, if any, into `config.sketch.seed`, then compares keys with each other.
// For a service also asks for the keys that it needs and reads the files of `kafka.secrets`. Says
// nothing about keys that are broken already.
void finish_config(Config& config, bool service, const Origins& origins, Problems& problems);

}  // namespace neardup
