// The command that shows the flags of a run as a page.
#pragma once

#include <string>

#include "service/cli/command_line.h"

namespace neardup {

// For the flags that this command line of `scan` writes, one line to be pasted into a shell. Empty:
// they go to no file.
std::string report_hint(const CommandLine& scan);

}  // namespace neardup
