// The work of a device and its times, for the summary of a run.
#pragma once

#include <string>

#include "gpu/backend.h"

namespace neardup {

// Lines for people, each with its line break; empty if no device was used.
std::string gpu_report_text(const BackendReport& report);

// Requires: report.has_device(). `last_failure` is written only after a failure.
std::string gpu_report_json(const BackendReport& report);

}  // namespace neardup
