// SIGINT and SIGTERM: the first requests an orderly end, the second ends the process at once.
#pragma once

#include <atomic>

namespace neardup {

// The flag that the first signal sets. The first call installs the handlers.
const std::atomic<bool>& stop_requested();

// 130 for SIGINT, 143 for SIGTERM, 0 without a signal.
int stop_status();

}  // namespace neardup
