#include "service/cli/completions.h"

#include <fmt/core.h>

#include "pipeline/base/failure.h"
#include "service/commands/commands.h"

namespace neardup {

int run_completions(const CommandLine& line) {
  const std::string shell = *line.one("SHELL");
  const auto script = completion_script(shell);
  if (!script)
    throw Failure(Exit::kUsage, fmt::format("{}: unknown shell; use bash, zsh or fish", shell));
  fmt::print("{}", *script);
  return 0;
}

}  // namespace neardup
