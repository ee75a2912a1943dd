#include <fmt/core.h>

#include "service/cli/completions.h"

namespace neardup {
namespace {

constexpr std::string_view kDriver = R"bash(
_neardup() {
  local IFS=$' \t\n' cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local at=$COMP_CWORD key= prefix= command= option word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -* ]]; then continue; fi
    if [[ -z $command ]]; then
      command=$word
    else
      if [[ -n $(_neardup_second "$command") ]]; then command+=" $word"; fi
      break
    fi
  done

  # bash gives KEY=VALUE as three words.
  if [[ $cur == = ]]; then
    cur= key=$prev at=$((COMP_CWORD - 1))
  elif [[ $prev == = ]]; then
    key=${COMP_WORDS[COMP_CWORD-2]} at=$((COMP_CWORD - 2))
  fi
  option=${COMP_WORDS[at-1]}
  if [[ $option == = ]]; then option=${COMP_WORDS[at-2]}; fi
  if [[ $key == -* ]]; then option=$key key=; fi

  local takes=
  if [[ $option == -* ]]; then takes=$(_neardup_takes "$command $option"); fi
  if [[ -z $takes && $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_neardup_options "$command") --help" -- "$cur")
    return
  fi
  if [[ -z $takes ]]; then takes=$(_neardup_takes "$command"); fi
  case $takes in
  file | directory)
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "-${takes:0:1}" -- "$cur")
    ;;
  setting)
    if [[ -z $key && $cur == *=* ]]; then key=${cur%%=*} prefix=${cur%%=*}= cur=${cur#*=}; fi
    if [[ -n $key ]]; then
      mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$(_neardup_values "$key")" -- "$cur")
    else
      compopt -o nospace 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -W "$(_neardup_keys)" -- "$cur")
    fi
    ;;
  text) ;;
  *) mapfile -t COMPREPLY < <(compgen -W "$takes" -- "$cur") ;;
  esac
}
complete -F _neardup neardup
)bash";

std::string takes_word(Takes takes) {
  switch (takes) {
    case Takes::kNothing:
      return "";
    case Takes::kText:
    case Takes::kNumber:
      return "text";
    case Takes::kFile:
      return "file";
    case Takes::kDirectory:
      return "directory";
    case Takes::kSetting:
      return "setting";
  }
  return "";
}

// A shell function that prints the words for its first parameter.
class WordsFunction {
 public:
  explicit WordsFunction(std::string_view name)
      : script_(fmt::format("{}() {{\n  case $1 in\n", name)) {}
  void add(std::string_view pattern, std::string_view words) {
    if (!words.empty()) script_ += fmt::format("  \"{}\") echo \"{}\" ;;\n", pattern, words);
  }
  std::string end() { return script_ + "  esac\n}\n"; }

 private:
  std::string script_;
};

std::string options_of(const CommandSpec& spec) {
  std::vector<std::string> words;
  for (const OptionSpec& option : spec.options) words.emplace_back(option.name);
  return spaced(words);
}

std::string takes_of_commands() {
  WordsFunction takes("_neardup_takes");
  takes.add("", spaced(first_words()));
  for (const std::string& first : first_words()) takes.add(first, spaced(second_words(first)));
  for (const CommandSpec& spec : commands()) {
    for (const OptionSpec& option : spec.options) {
      takes.add(fmt::format("{} {}", spec.name, option.name), takes_word(option.takes));
      if (!option.brief.empty())
        takes.add(fmt::format("{} {}", spec.name, option.brief), takes_word(option.takes));
    }
    if (spec.arguments.empty()) {
      if (second_words(spec.name).empty()) takes.add(spec.name, "text");
      continue;
    }
    const ArgumentSpec& argument = spec.arguments.front();
    const auto words = argument_words(argument);
    takes.add(spec.name, words.empty() ? takes_word(argument.takes) : spaced(words));
  }
  return takes.end();
}

std::string words_of_groups() {
  WordsFunction second("_neardup_second");
  for (const std::string& first : first_words()) second.add(first, spaced(second_words(first)));
  return second.end();
}

std::string options_of_commands() {
  WordsFunction options("_neardup_options");
  options.add("", "--version");
  for (const CommandSpec& spec : commands()) options.add(spec.name, options_of(spec));
  return options.end();
}

std::string values_of_settings() {
  std::vector<std::string> keys;
  WordsFunction values("_neardup_values");
  for (const SettingWords& setting : setting_words()) {
    keys.push_back(setting.start);
    values.add(setting.key, spaced(setting.words));
  }
  return values.end() + fmt::format("_neardup_keys() {{\n  echo \"{}\"\n}}\n", spaced(keys));
}

}  // namespace

std::string bash_completions() {
  return "# bash completion of neardup:  source <(neardup completions bash)\n\n" +
         words_of_groups() + options_of_commands() + takes_of_commands() + values_of_settings() +
         std::string(kDriver);
}

}  // namespace neardup
