// `neardup tune --similar`: what the engines of a search find.
#pragma once

#include <string>
#include <vector>

#include "pipeline/search/reach.h"

namespace neardup {

struct ReachReport {
  SearchCase search;
  std::vector<double> similarities;
  std::vector<EngineReach> engines;
};

// For the similarities 0.9, 0.8 … 0.2.
ReachReport make_reach_report(const SearchCase& search);

std::string reach_text(const ReachReport& report);
std::string reach_json(const ReachReport& report);

}  // namespace neardup
