// What is read at a scrape: a store, the quality check, a backend, a disk, this process and what it
// may use.
#pragma once

#include <cstdint>
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

// Linux: from /proc and the control groups. What cannot be read is 0 or left out.
void collect_process(Samples& samples);

// Bytes that the process may use: the smallest limit of its control groups, or the machine's
// memory.
std::uint64_t memory_limit();

}  // namespace neardup
