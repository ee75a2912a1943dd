// The cost of single parts of the metrics, each measured alone.
#pragma once

#include <string>
#include <vector>

#include "bench/runner.h"
#include "metrics/registry.h"

namespace neardup::bench {

// Prints a row for each part: nanoseconds of CPU time per document, or per scrape. `texts`: of
// documents to store.
void measure_parts(const Options& options, const std::vector<std::string>& texts);

}  // namespace neardup::bench
