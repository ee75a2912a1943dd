// `neardup metrics reference`: docs/metrics.md, made from the catalogue.
#pragma once

#include <string>

namespace neardup {

std::string metrics_markdown();

}  // namespace neardup
