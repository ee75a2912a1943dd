// What a store, a backend and a disk tell, as samples of metrics.
#pragma once

#include <string>

#include "gpu/backend.h"
#include "metrics/registry.h"
#include "pipeline/quality_check.h"
#include "storage/stats.h"

namespace neardup {

void sample_store(const StoreReadings& readings, Samples& samples);
void sample_quality(const QualityReadings& readings, Samples& samples);
void sample_backend(const BackendReport& report, Samples& samples);
// Of the file system that holds `path`.
void sample_disk(const std::string& path, Samples& samples);

}  // namespace neardup
