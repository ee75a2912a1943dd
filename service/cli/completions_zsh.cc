#include <fmt/core.h>

#include "service/cli/completions.h"

namespace neardup {
namespace {

// In single quotes; `special` are the characters that the zsh function gives a meaning to.
std::string zsh_quoted(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (special.find(c) != special.npos) escaped += '\\';
    escaped += c;
  }
  return quoted(escaped, R"('\'')", "\\");
}

std::string action(Takes takes) {
  switch (takes) {
    case Takes::kNothing:
      return "";
    case Takes::kText:
      return ":text: ";
    case Takes::kNumber:
      return ":number: ";
    case Takes::kFile:
      return ":file:_files";
    case Takes::kDirectory:
      return ":directory:_files -/";
    case Takes::kSetting:
      return ":setting:_neardup_setting";
  }
  return "";
}

std::string unquoted(const std::string& text) { return text.substr(1, text.size() - 2); }

// '(-c --config)'{-c,--config}'[help]:file:_files'
std::string option(const OptionSpec& spec) {
  const std::string rest =
      fmt::format("'[{}]{}'", unquoted(zsh_quoted(spec.help, "[]:\\")), action(spec.takes));
  if (spec.brief.empty()) return fmt::format("'{}{}'{}", spec.repeated ? "*" : "", spec.name, rest);
  return fmt::format("'({0} {1})'{{{0},{1}}}{2}", spec.brief, spec.name, rest);
}

std::string argument(const ArgumentSpec& spec) {
  const auto words = argument_words(spec);
  if (!words.empty()) return fmt::format("'1:{}:({})'", spec.name, spaced(words));
  return fmt::format("'{}{}'", spec.most == 1 ? "" : "*", action(spec.takes));
}

std::string call(const CommandSpec& spec) {
  std::string out = "_arguments '--help[Show help]'";
  for (const OptionSpec& each : spec.options) out += " \\\n    " + option(each);
  for (const ArgumentSpec& each : spec.arguments) out += " \\\n    " + argument(each);
  return out;
}

// A function that completes one word and then dispatches on it; `prefix`: "", or "config ".
std::string dispatcher(const std::string& name, const std::string& prefix) {
  std::string list;
  std::string cases;
  for (const CommandSpec& spec : commands()) {
    if (!spec.name.starts_with(prefix)) continue;
    const std::string word(spec.name.substr(prefix.size()));
    if (word.find(' ') != word.npos) continue;
    list += fmt::format("    {}\n", zsh_quoted(fmt::format("{}:{}", word, spec.help), "\\"));
    cases += fmt::format("  {})\n    {}\n    ;;\n", word, call(spec));
  }
  for (const std::string& group : prefix.empty() ? first_words() : std::vector<std::string>{}) {
    if (second_words(group).empty()) continue;
    list +=
        fmt::format("    {}\n", zsh_quoted(fmt::format("{}:{}", group, group_help(group)), "\\"));
    cases += fmt::format("  {0}) {1}_{0} ;;\n", group, name);
  }
  return fmt::format(
      "{}() {{\n"
      "  local context state state_descr line\n  typeset -A opt_args\n  local -a words_here=(\n{}  "
      ")\n"
      "  _arguments -C '--help[Show help]'{} '1: :->first' '*:: :->rest'\n"
      "  if [[ $state == first ]]; then _describe command words_here; return; fi\n"
      "  case $words[1] in\n{}  esac\n}}\n\n",
      name, list, prefix.empty() ? " '--version[Show versions]'" : "", cases);
}

std::string setting_function() {
  std::string keys;
  std::string cases;
  for (const SettingWords& setting : setting_words()) {
    keys += fmt::format(" {}", setting.start);
    if (!setting.words.empty())
      cases += fmt::format("    {}) compadd -- {} ;;\n", setting.key, spaced(setting.words));
  }
  return fmt::format(
      "_neardup_setting() {{\n"
      "  if [[ $PREFIX == *=* ]]; then\n"
      "    local key=${{PREFIX%%=*}}\n    compset -P '*='\n    case $key in\n{}    esac\n"
      "  else\n    compadd -S '' --{}\n  fi\n}}\n\n",
      cases, keys);
}

}  // namespace

std::string zsh_completions() {
  std::string out = "#compdef neardup\n\n" + setting_function();
  for (const std::string& first : first_words()) {
    if (!second_words(first).empty()) out += dispatcher("_neardup_" + first, first + " ");
  }
  return out + dispatcher("_neardup", "") +
         "if [[ $funcstack[1] == _neardup ]]; then _neardup \"$@\"; else compdef _neardup neardup; "
         "fi\n";
}

}  // namespace neardup
