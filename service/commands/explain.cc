#include <fmt/core.h>

#include <functional>
#include <optional>
#include <utility>

#include "pipeline/state_keys.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/commands/source_text.h"
#include "service/commands/state_settings.h"
#include "service/control/client.h"
#include "service/file/text_file.h"
#include "service/state/comparison.h"

namespace neardup {
namespace {

constexpr char kSource = '@';  // begins a side that is a record of an input

Side side_of_file(const std::string& path, const Rule& rule) {
  const std::string raw =
      read_text_file(path, rule.text.max_bytes, "; with --state, A and B are ids");
  if (auto side = side_of_text(path, raw, rule)) return std::move(*side);
  throw text_too_large(path, rule.text.max_bytes);
}

Side side_of_source(std::string_view source, const Config& config, const Rule& rule) {
  if (auto side = side_of_text(std::string(source), text_of_source(source, config), rule))
    return std::move(*side);
  throw text_too_large(std::string(source), rule.text.max_bytes);
}

bool is_source(const std::string& side) {
  return side.starts_with(kSource) && !side.starts_with("@@");
}

// Of an argument that is no source: "@@a" means "@a".
std::string unescaped(const std::string& side) {
  return side.starts_with(kSource) ? side.substr(1) : side;
}

// `side_of`: the side of an argument that is no source.
std::string compare(const std::string& a, const std::string& b, const Config& config,
                    const Rule& rule, const std::function<Side(const std::string&)>& side_of) {
  const auto side = [&](const std::string& text) {
    return is_source(text) ? side_of_source(text.substr(1), config, rule)
                           : side_of(unescaped(text));
  };
  Side first = side(a);
  Side second = side(b);
  return comparison_text(
      make_comparison(std::move(first), std::move(second), rule, config.cpu.simd));
}

// Nothing: there is no service to ask.
std::optional<std::string> explain_by_service(const CommandLine& line, const std::string& a,
                                              const std::string& b) {
  const std::string state = existing_state_path(line);
  const auto rule = ask_for_rule(state);
  if (!rule) return {};
  settings_for(line, ConfigUse::kIds, *rule);  // refuses what contradicts the rule
  return ask_about_ids(state, line.one("--namespace").value_or(""), unescaped(a), unescaped(b));
}

std::string explain_stored(const CommandLine& line, const std::string& a, const std::string& b) {
  const bool ids = !is_source(a) && !is_source(b);
  if (ids) {
    if (const auto text = explain_by_service(line, a, b)) return *text;
  }
  const auto store = open_existing_state(line, OpenMode::kReadOnly);
  const auto [config, rule] =
      settings_for(line, ids ? ConfigUse::kIds : ConfigUse::kAny, stored_rule_text(*store));
  const std::string name_space = line.one("--namespace").value_or("");
  return compare(a, b, config, rule,
                 [&](const std::string& id) { return side_of_id(id, name_space, *store); });
}

std::string explain_files(const CommandLine& line, const std::string& a, const std::string& b) {
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  const Rule rule = make_rule(config);
  return compare(a, b, config, rule,
                 [&](const std::string& path) { return side_of_file(path, rule); });
}

}  // namespace

int run_explain(const CommandLine& line) {
  const std::string a = *line.one("A");
  const std::string b = *line.one("B");
  fmt::print("{}", line.has("--state") ? explain_stored(line, a, b) : explain_files(line, a, b));
  return 0;
}

}  // namespace neardup
