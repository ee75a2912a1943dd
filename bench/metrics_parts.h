// What single parts of the metrics cost, each measured alone.
#pragma once

#include <string>
#include <vector>

#include "bench/runner.h"
#include "metrics/registry.h"

namespace neardup::bench {

// A row each: nanoseconds of CPU time for a document, and of the scrape for one scrape. `registry`:
// of a service that has worked.
void measure_parts(const Options& options, const std::vector<std::string>& texts);

}  // namespace neardup::bench
