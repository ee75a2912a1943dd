// How a run over files ends.
#pragma once

#include "service/cli/command_line.h"
#include "service/records/all_rejected.h"

namespace neardup {

// The exit status of a run that came to its end, or to the signal that stopped it. When every
// record was rejected it is 65, and stderr says why, unless --allow-all-rejected is given.
int run_status(const CommandLine& line, const AllRejected& rejected);

}  // namespace neardup
