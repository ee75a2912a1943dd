#include <fmt/core.h>

#include "config/show.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/state/settings.h"

namespace neardup {

int run_config_check(const CommandLine& line) {
  make_rule(load_configuration(line, ConfigUse::kAny));
  fmt::print("{}: no problems\n", *line.one("FILE"));
  return 0;
}

int run_config_show(const CommandLine& line) {
  fmt::print("{}", show_config(load_configuration(line, ConfigUse::kAny)));
  return 0;
}

int run_config_schema(const CommandLine&) {
  fmt::print("{}", schema_json());
  return 0;
}

int run_config_reference(const CommandLine&) {
  fmt::print("{}", reference_markdown());
  return 0;
}

}  // namespace neardup
