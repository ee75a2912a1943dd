#include "service/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <deque>

#include "pipeline/base/failure.h"
#include "service/cli/command_table.h"

namespace neardup {
namespace {

// Where CLI11 stores the parsed values.
struct Slots {
  struct Slot {
    std::string name;
    std::vector<std::string> values;
    std::string single;
    bool flag = false;
    CLI::Option* option = nullptr;
  };
  CLI::App* app = nullptr;
  std::string command;
  std::deque<Slot> slots;
};

std::string placeholder(Takes takes) {
  switch (takes) {
    case Takes::kNothing:
      return "";
    case Takes::kText:
      return "TEXT";
    case Takes::kNumber:
      return "NUMBER";
    case Takes::kFile:
      return "FILE";
    case Takes::kDirectory:
      return "DIR";
    case Takes::kSetting:
      return "KEY=VALUE";
  }
  return "";
}

void add_option(const OptionSpec& spec, Slots& slots) {
  auto& slot = slots.slots.emplace_back();
  slot.name = spec.name;
  const std::string names = spec.brief.empty()
                                ? std::string(spec.name)
                                : std::string(spec.brief) + "," + std::string(spec.name);
  if (spec.takes == Takes::kNothing) {
    slot.option = slots.app->add_flag(names, slot.flag, std::string(spec.help));
    return;
  }
  slot.option = slots.app->add_option(names, slot.values, std::string(spec.help));
  slot.option->type_name(placeholder(spec.takes))->type_size(1)->expected(1);
  // Otherwise an option in front of several inputs swallows all but the last of them.
  slot.option->allow_extra_args(false);
  slot.option->multi_option_policy(spec.repeated ? CLI::MultiOptionPolicy::TakeAll
                                                 : CLI::MultiOptionPolicy::Throw);
}

void add_argument(const ArgumentSpec& spec, Slots& slots) {
  auto& slot = slots.slots.emplace_back();
  slot.name = spec.name;
  // CLI11 fills a vector with all remaining arguments, so an argument of one value needs a string.
  slot.option =
      spec.most == 1
          ? slots.app->add_option(std::string(spec.name), slot.single, std::string(spec.help))
          : slots.app->add_option(std::string(spec.name), slot.values, std::string(spec.help));
  slot.option->type_name("");
  if (spec.least > 0) slot.option->required();
}

// "config check" is a subcommand of the subcommand "config".
CLI::App* add_app(CLI::App& root, const CommandSpec& spec,
                  std::map<std::string, CLI::App*>& groups) {
  const std::string name(spec.name);
  const std::size_t space = name.find(' ');
  if (space == std::string::npos) return root.add_subcommand(name, std::string(spec.help));
  const std::string group = name.substr(0, space);
  CLI::App*& parent = groups[group];
  if (parent == nullptr) {
    parent = root.add_subcommand(group, std::string(group_help(group)));
    parent->require_subcommand(1);
  }
  return parent->add_subcommand(name.substr(space + 1), std::string(spec.help));
}

CommandLine collect(const Slots& slots) {
  CommandLine line;
  line.command = slots.command;
  for (const auto& slot : slots.slots) {
    if (slot.option->count() == 0) continue;
    line.given[slot.name] = slot.values.empty() ? std::vector{slot.single} : slot.values;
  }
  return line;
}

ParseOutcome outcome_of(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = app.exit(error, out, err);
  if (code == 0) return {std::nullopt, out.str(), 0};
  return {std::nullopt, "neardup: " + err.str(), static_cast<int>(Exit::kUsage)};
}

}  // namespace

std::optional<std::string> CommandLine::one(std::string_view name) const {
  const auto it = given.find(std::string(name));
  if (it == given.end() || it->second.empty()) return std::nullopt;
  return it->second.back();
}

std::vector<std::string> CommandLine::all(std::string_view name) const {
  const auto it = given.find(std::string(name));
  return it == given.end() ? std::vector<std::string>{} : it->second;
}

ParseOutcome parse_command_line(int argc, const char* const* argv, const std::string& version) {
  CLI::App app("Find near-duplicate documents in streams and files.", "neardup");
  app.set_version_flag("--version", version, "Show the version, and those of the libraries");
  app.require_subcommand(1);
  std::deque<Slots> all;
  std::map<std::string, CLI::App*> groups;
  for (const CommandSpec& spec : commands()) {
    Slots& slots = all.emplace_back();
    slots.command = spec.name;
    slots.app = add_app(app, spec, groups);
    slots.app->footer(std::string(spec.detail));
    for (const OptionSpec& option : spec.options) add_option(option, slots);
    for (const ArgumentSpec& argument : spec.arguments) add_argument(argument, slots);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return outcome_of(app, error);
  }
  for (const Slots& slots : all) {
    if (slots.app->parsed()) return {collect(slots), "", 0};
  }
  return {std::nullopt, app.help(), static_cast<int>(Exit::kUsage)};
}

}  // namespace neardup
