// Secrets of a configuration, kept out of log lines.
#pragma once

#include "config/config.h"
#include "service/log/log.h"

namespace neardup {

void hide_secrets(const Config& config, Log& log);

}  // namespace neardup
