// What a device did and where its time went, as the summary of a run tells it.
#pragma once

#include <string>

#include "gpu/backend.h"

namespace neardup {

// Lines for people, each with its line break; nothing where no device was used.
std::string gpu_report_text(const BackendReport& report);

// Requires: report.has_device(). `last_failure` is there only after one.
std::string gpu_report_json(const BackendReport& report);

}  // namespace neardup
