// Metrics of a store, the quality check, a backend and a disk.
#pragma once

#include <string>

#include "gpu/backend.h"
#include "metrics/registry.h"
#include "pipeline/quality_check.h"
#include "storage/stats.h"

namespace neardup {

void collect_store(const StoreStats& stats, Samples& samples);
void collect_quality(const QualityStats& stats, Samples& samples);
void collect_backend(const BackendReport& report, Samples& samples);
// Of the file system that holds `path`.
void collect_disk(const std::string& path, Samples& samples);

}  // namespace neardup
