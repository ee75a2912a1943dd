// Lines of the log on stderr that take no memory: for when there is none left, or the process ends
// at once.
#pragma once

#include <string_view>

#include "config/service_options.h"

namespace neardup {

inline constexpr std::string_view kOutOfMemory =
    "out of memory; lower storage.memory, batch.documents or text.max_bytes";

// A line of level error, at most 1 KiB of it: {"ts":…,"level":"error","event":…,"reason":…}. Any
// thread. `event` and what is ASCII of `reason` are shown.
void write_raw_error(LogFormat format, std::string_view event, std::string_view reason) noexcept;

// From now on an exception that nobody catches, in any thread, ends the process with such a line
// and the exit status 70, and a signal of a fault has such a line before it ends the process as
// ever.
void log_sudden_ends(LogFormat format);

}  // namespace neardup
