#include "service/commands/state_settings.h"

#include <fmt/format.h>

#include "pipeline/base/failure.h"
#include "pipeline/state_keys.h"
#include "service/control/client.h"

namespace neardup {

StateSettings settings_for(const CommandLine& line, ConfigUse use, const std::string& stored) {
  return settings_over(stored, [&](const Config* base) {
    LoadResult loaded = read_configuration(line, use, base);
    print_warnings(loaded);
    return loaded;
  });
}

StateSettings settings_for(const CommandLine& line, ConfigUse use, Store& store) {
  return settings_for(line, use, store.meta(kMetaRule).value_or(""));
}

StateSettings settings_of_state(const CommandLine& line, ConfigUse use) {
  if (const auto asked = ask_for_rule(existing_state_path(line)))
    return settings_for(line, use, *asked);
  return settings_for(line, use, stored_rule_text(*open_existing_state(line, OpenMode::kReadOnly)));
}

void require_seed(const Rule& rule, const char* what) {
  if (!rule.unknown_seed) return;
  throw Failure(Exit::kConfig, fmt::format("{} needs the seed of the state, which is secret: give "
                                           "`sketch.seed_file` or `sketch.seed`, by -c or --set",
                                           what));
}

}  // namespace neardup
