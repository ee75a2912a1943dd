// The module of neardup that is linked with Arrow (service/arrow/module.h).
#pragma once

#include <string>

#include "service/arrow/module.h"

namespace neardup {

// Loads it at the first call: libneardup_arrow.so next to the program, or in ../lib/neardup from
// there. Null where there is none, or not of this build.
const ArrowModule* arrow_module();

// Why there is none, and how to get it: a sentence that continues "x is Parquet, and ".
std::string arrow_remedy();

}  // namespace neardup
