// Checks of the keys that make a service.
#pragma once

#include "config/config.h"
#include "config/diagnostics.h"

namespace neardup {

// `service`: the keys that `serve` needs are asked for, and what only other commands can do is
// refused; otherwise what only `serve` can do.
void check_service(const Config& config, bool service, Findings& findings);

}  // namespace neardup
