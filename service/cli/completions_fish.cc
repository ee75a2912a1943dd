#include <fmt/core.h>

#include "service/cli/completions.h"

namespace neardup {
namespace {

std::string fish_quoted(std::string_view text) { return quoted(text, "\\'", "\\\\"); }

std::string value_of(Takes takes) {
  switch (takes) {
    case Takes::kNothing:
      return "";
    case Takes::kText:
    case Takes::kNumber:
      return " -x";
    case Takes::kFile:
      return " -r -F";
    case Takes::kDirectory:
      return " -x -a '(__fish_complete_directories)'";
    case Takes::kSetting:
      return " -x -a '(__neardup_settings)'";
  }
  return "";
}

// The condition that `command` was typed: for "config check", that both words were.
std::string when(std::string_view command) {
  const std::size_t space = command.find(' ');
  if (space == command.npos) return fmt::format("__fish_seen_subcommand_from {}", command);
  return fmt::format("{}; and {}", when(command.substr(0, space)), when(command.substr(space + 1)));
}

std::string line(std::string_view condition, std::string_view rest) {
  return fmt::format("complete -c neardup -n '{}'{}\n", condition, rest);
}

std::string names_of_commands() {
  std::string out;
  for (const CommandSpec& spec : commands()) {
    const std::size_t space = spec.name.find(' ');
    const std::string help = fish_quoted(spec.help);
    if (space == spec.name.npos) {
      out += line("__fish_use_subcommand", fmt::format(" -a {} -d {}", spec.name, help));
      continue;
    }
    const std::string first(spec.name.substr(0, space));
    const std::string condition = fmt::format("{}; and not __fish_seen_subcommand_from {}",
                                              when(first), spaced(second_words(first)));
    out += line(condition, fmt::format(" -a {} -d {}", spec.name.substr(space + 1), help));
  }
  for (const std::string& first : first_words()) {
    if (!second_words(first).empty())
      out += line("__fish_use_subcommand", fmt::format(" -a {}", first));
  }
  return out;
}

std::string option(const CommandSpec& spec, const OptionSpec& option) {
  const std::string brief =
      option.brief.empty() ? "" : fmt::format(" -s {}", option.brief.substr(1));
  return line(when(spec.name), fmt::format("{} -l {}{} -d {}", brief, option.name.substr(2),
                                           value_of(option.takes), fish_quoted(option.help)));
}

std::string argument(const CommandSpec& spec, const ArgumentSpec& argument) {
  const auto words = argument_words(argument);
  if (!words.empty()) return line(when(spec.name), fmt::format(" -a '{}'", spaced(words)));
  return argument.takes == Takes::kFile ? line(when(spec.name), " -F") : "";
}

std::string settings_function() {
  std::string out = "function __neardup_settings\n";
  for (const SettingWords& setting : setting_words()) {
    if (setting.words.empty())
      out +=
          fmt::format("  printf '%s\\t%s\\n' '{}' {}\n", setting.start, fish_quoted(setting.help));
    for (const std::string& word : setting.words)
      out += fmt::format("  echo {}{}\n", setting.start, word);
  }
  return out + "end\n\n";
}

}  // namespace

std::string fish_completions() {
  std::string out = "# fish completion of neardup\n\n" + settings_function() +
                    "complete -c neardup -f -l help\n" +
                    line("__fish_use_subcommand", " -l version") + names_of_commands();
  for (const CommandSpec& spec : commands()) {
    for (const OptionSpec& each : spec.options) out += option(spec, each);
    for (const ArgumentSpec& each : spec.arguments) {
      if (&each == &spec.arguments.front()) out += argument(spec, each);
    }
  }
  return out;
}

}  // namespace neardup
