#include <fmt/core.h>

#include "metrics/reference.h"
#include "service/commands/commands.h"

namespace neardup {

int run_metrics_reference(const CommandLine&) {
  fmt::print("{}", metrics_markdown());
  return 0;
}

}  // namespace neardup
