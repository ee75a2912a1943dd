// This process and what it may use, as samples of metrics.
#pragma once

#include <cstdint>

#include "metrics/registry.h"

namespace neardup {

// Linux: from /proc and the control groups. What cannot be read is 0 or left out.
void collect_process(Samples& samples);

// Bytes that the process may use: the smallest limit of its control groups, or the machine's
// memory.
std::uint64_t memory_limit();

}  // namespace neardup
