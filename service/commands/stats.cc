#include <fmt/core.h>

#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/control/client.h"
#include "service/state/state_report.h"

namespace neardup {

int run_stats(const CommandLine& line) {
  const std::string state = existing_state_path(line);
  const bool json = line.has("--json");
  if (const auto answer = ask_for_stats(state, json)) {
    fmt::print("{}", *answer);
    return 0;
  }
  const auto store = open_existing_state(line, OpenMode::kReadOnly);
  const StateReport report = make_state_report(state, *store);
  fmt::print("{}", json ? state_report_json(report) : state_report_text(report));
  return 0;
}

}  // namespace neardup
