#include "service/cli/completions.h"

#include <fmt/core.h>

#include <algorithm>
#include <variant>

#include "config/fields.h"

namespace neardup {
namespace {

// What was typed before the word to complete.
struct Typed {
  std::string command;  // "scan", "config check"; of a group alone "config"; or empty
  const CommandSpec* spec = nullptr;
  const OptionSpec* option = nullptr;  // whose value is to be completed
  std::string_view word;               // to complete, without "--option="
  std::string_view before;             // "--option=", or empty
};

class Words {
 public:
  explicit Words(const Typed& typed) : typed_(typed) {}
  void add(std::string_view word, std::string_view help) {
    const bool there =
        std::ranges::find(found_.words, word, &Completion::Word::text) != found_.words.end();
    if (word.starts_with(typed_.word) && !there)
      found_.words.push_back({std::string(typed_.before).append(word), help});
  }
  void more(Takes more) { found_.more = more; }
  Completion take() { return std::move(found_); }

 private:
  const Typed& typed_;
  Completion found_;
};

const CommandSpec* find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &CommandSpec::name);
  return found == commands().end() ? nullptr : &*found;
}

const OptionSpec* find_option(const CommandSpec* spec, std::string_view name) {
  if (spec == nullptr || !name.starts_with('-')) return nullptr;
  const auto named = [&](const OptionSpec& option) {
    return option.takes != Takes::kNothing && (option.name == name || option.brief == name);
  };
  const auto found = std::ranges::find_if(spec->options, named);
  return found == spec->options.end() ? nullptr : &*found;
}

bool is_group(std::string_view word) {
  const auto begins = [&](const CommandSpec& spec) {
    return spec.name.starts_with(std::string(word) + ' ');
  };
  return std::ranges::any_of(commands(), begins);
}

Typed read(std::span<const std::string> words) {
  Typed typed;
  typed.word = words.back();
  for (const std::string& word : words.first(words.size() - 1)) {
    if (word.starts_with('-')) continue;
    if (!typed.command.empty()) {
      if (is_group(typed.command)) typed.command += ' ' + word;
      break;
    }
    typed.command = word;
  }
  typed.spec = find_command(typed.command);
  const std::size_t equals = typed.word.find('=');
  if (equals != typed.word.npos)
    typed.option = find_option(typed.spec, typed.word.substr(0, equals));
  if (typed.option != nullptr) {
    typed.before = typed.word.substr(0, equals + 1);
    typed.word.remove_prefix(equals + 1);
  } else if (words.size() > 1) {
    typed.option = find_option(typed.spec, words[words.size() - 2]);
  }
  return typed;
}

std::vector<std::string> values_of(const Field& field) {
  std::vector<std::string> values;
  Config config;
  const Slot slot = field.slot(config);
  if (const auto* word = std::get_if<EnumSlot>(&slot))
    values.assign(word->words.begin(), word->words.end());
  if (std::holds_alternative<bool*>(slot)) values = {"true", "false"};
  for (const std::uint64_t choice : field.choices) values.push_back(std::to_string(choice));
  if (!field.zero_word.empty()) values.emplace_back(field.zero_word);
  return values;
}

void add_settings(const Typed& typed, Words& words) {
  for (const Field& field : fields()) {
    const bool is_map = field.type == FieldType::kTextMap || field.type == FieldType::kPathMap;
    const std::string start = std::string(field.key) + (is_map ? '.' : '=');
    if (typed.word.find('=') == typed.word.npos) {
      words.add(start, field.help);
      words.more(Takes::kSetting);
    } else if (typed.word.starts_with(start)) {
      for (const std::string& value : values_of(field)) words.add(start + value, {});
    }
  }
}

void add_values(const Typed& typed, Takes takes, Words& words) {
  if (takes == Takes::kSetting) return add_settings(typed, words);
  words.more(takes);
}

// The commands, or those of a group.
void add_commands(const Typed& typed, Words& words) {
  const std::string prefix = typed.command.empty() ? "" : typed.command + ' ';
  for (const CommandSpec& spec : commands()) {
    if (!spec.name.starts_with(prefix)) continue;
    const std::string_view rest = spec.name.substr(prefix.size());
    const std::string_view first = rest.substr(0, rest.find(' '));
    words.add(first, first == rest ? spec.help : group_help(first));
  }
}

void add_options(const Typed& typed, Words& words) {
  if (typed.spec != nullptr) {
    for (const OptionSpec& option : typed.spec->options) words.add(option.name, option.help);
  } else if (typed.command.empty()) {
    words.add("--version", "Show versions");
  }
  words.add("--help", "Show help");
}

}  // namespace

Completion complete(std::span<const std::string> words) {
  if (words.empty()) return {};
  const Typed typed = read(words);
  Words found(typed);
  if (typed.option != nullptr) {
    add_values(typed, typed.option->takes, found);
  } else if (typed.word.starts_with('-')) {
    add_options(typed, found);
  } else if (typed.spec == nullptr) {
    add_commands(typed, found);
  } else if (!typed.spec->arguments.empty()) {
    const ArgumentSpec& argument = typed.spec->arguments.front();
    for (const std::string_view word : argument.words) found.add(word, {});
    add_values(typed, argument.takes, found);
  }
  return found.take();
}

std::string completion_lines(const Completion& completion) {
  std::string lines;
  for (const Completion::Word& word : completion.words)
    lines += fmt::format("{}\t{}\n", word.text, word.help);
  switch (completion.more) {
    case Takes::kFile:
      return lines + ":file\n";
    case Takes::kDirectory:
      return lines + ":directory\n";
    case Takes::kSetting:
      return lines + ":nospace\n";
    case Takes::kNothing:
    case Takes::kText:
    case Takes::kNumber:
      break;
  }
  return lines + ":\n";
}

}  // namespace neardup
