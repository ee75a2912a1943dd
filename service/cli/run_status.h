// How a run over files ended.
#pragma once

#include <string>

#include "pipeline/pipeline.h"
#include "service/cli/command_line.h"
#include "service/records/all_rejected.h"

namespace neardup {

// 128 plus the signal that stopped the run; 65, with the reason on stderr, when every record was
// rejected and --allow-all-rejected is not given; otherwise 0.
int run_status(const CommandLine& line, const AllRejected& rejected);

// What became of the records: a line for each status that any has, with its share.
std::string status_text(const PipelineCounts& counts);

}  // namespace neardup
