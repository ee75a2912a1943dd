#include <fmt/core.h>

#include <utility>

#include "gpu/backend.h"
#include "gpu/backends.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/control/client.h"
#include "service/file/text_file.h"
#include "service/state/comparison.h"

namespace neardup {
namespace {

Side side_of_file(const std::string& path, const Rule& rule, Backend& backend) {
  const std::string raw =
      read_text_file(path, rule.text.max_bytes, "; with --state, A and B are ids");
  if (auto side = side_of_text(path, raw, rule, backend)) return std::move(*side);
  throw text_too_large(path, rule.text.max_bytes);
}

std::string explain_ids(const CommandLine& line) {
  const std::string state = existing_state_path(line);
  const std::string name_space = line.one("--namespace").value_or("");
  const std::string a = *line.one("A");
  const std::string b = *line.one("B");
  if (const auto text = ask_about_ids(state, name_space, a, b)) return *text;
  const auto store = open_existing_state(line, OpenMode::kReadOnly);
  return comparison_text(compare_ids(name_space, a, b, *store));
}

std::string explain_files(const CommandLine& line) {
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  const Rule rule = make_rule(config);
  const auto backend = make_backend(config.backend_options(), rule.plan);
  return comparison_text({side_of_file(*line.one("A"), rule, *backend),
                          side_of_file(*line.one("B"), rule, *backend), rule});
}

}  // namespace

int run_explain(const CommandLine& line) {
  fmt::print("{}", line.has("--state") ? explain_ids(line) : explain_files(line));
  return 0;
}

}  // namespace neardup
