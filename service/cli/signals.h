// SIGINT and SIGTERM: the first asks for an orderly end, the second ends the process at once.
#pragma once

#include <atomic>

namespace neardup {

// Installs the handlers; set when one of the signals came.
const std::atomic<bool>& stop_requested();

// 130 for SIGINT, 143 for SIGTERM, 0 when none came.
int stop_status();

}  // namespace neardup
