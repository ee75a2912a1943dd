// The exit status of a run over files.
#pragma once

#include "service/cli/command_line.h"
#include "service/records/all_rejected.h"

namespace neardup {

// 128 plus the signal that stopped the run; 65, with the reason on stderr, when every record was
// rejected and --allow-all-rejected is not given; otherwise 0.
int run_status(const CommandLine& line, const AllRejected& rejected);

}  // namespace neardup
